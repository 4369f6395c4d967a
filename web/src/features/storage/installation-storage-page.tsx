import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { storageOfProjectsQuery } from '../../api/storage-queries.ts';
import { numberText, storageText } from '../../lang/locale.ts';
import { PageHeader } from '../../ui/page/page.tsx';
import { StorageView } from './storage-view.tsx';

/** What all projects use, and when the disk is full. */
export const InstallationStoragePage = ({ back }: { back: ReactNode }) => {
  const { t } = useTranslation();
  const query = useQuery(storageOfProjectsQuery());
  const { data } = query;
  const days = data?.full_in_days ?? null;
  return (
    <>
      <PageHeader title={t('storage.title')} before={back} />
      <StorageView
        query={query}
        label={t('storage.project')}
        rows={(data?.projects ?? []).map(({ project_id, name, ...sizes }) => ({
          ...sizes,
          key: project_id,
          name: (
            <Link to="/project/$projectId/storage" params={{ projectId: project_id }}>
              {name}
            </Link>
          ),
        }))}
      >
        {data?.disk ? (
          <div>
            <dt>{t('systemPage.disk')}</dt>
            <dd>
              {t('systemPage.diskOf', { free: storageText(data.disk.free), total: storageText(data.disk.total) })}
            </dd>
          </div>
        ) : null}
        {days === null ? null : (
          <div>
            <dt>{t('storage.full')}</dt>
            <dd>{t('storage.fullIn', { count: Math.round(days), number: numberText(Math.round(days)) })}</dd>
          </div>
        )}
      </StorageView>
    </>
  );
};
