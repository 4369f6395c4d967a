import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../api/api-error.ts';
import { storageOfProjectsQuery } from '../../api/storage-queries.ts';
import { numberText, storageText } from '../../lang/locale.ts';
import { LoadError } from '../../ui/page/load-error.tsx';
import { EmptyState, PageHeader } from '../../ui/page/page.tsx';
import css from './storage.module.css';
import { StorageTable } from './storage-table.tsx';
import { StorageValues } from './storage-values.tsx';

/** What all projects use, and when the disk is full. */
export const InstallationStoragePage = ({ back }: { back: ReactNode }) => {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(storageOfProjectsQuery());
  const days = data?.full_in_days ?? null;
  return (
    <>
      <PageHeader title={t('storage.title')} before={back} />
      {error && !data ? <LoadError text={errorText(error)} retry={() => void refetch()} /> : null}
      {data && data.measured === null ? (
        <EmptyState title={t('storage.title')} text={t('storage.notMeasured')} />
      ) : null}
      {data && data.measured !== null ? (
        <div className={css.page}>
          <StorageValues totals={data}>
            {data.disk ? (
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
          </StorageValues>
          <StorageTable
            label={t('storage.project')}
            total={data.total}
            rows={data.projects.map(({ project_id, name, ...sizes }) => ({
              ...sizes,
              key: project_id,
              name: (
                <Link to="/project/$projectId/storage" params={{ projectId: project_id }}>
                  {name}
                </Link>
              ),
            }))}
          />
        </div>
      ) : null}
    </>
  );
};
