import type { TemplateStorage } from '@signalbox/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../api/api-error.ts';
import { storageQuery } from '../../api/storage-queries.ts';
import { numberText } from '../../lang/locale.ts';
import { LoadError } from '../../ui/page/load-error.tsx';
import { EmptyState, PageHeader } from '../../ui/page/page.tsx';
import css from './storage.module.css';
import { StorageTable } from './storage-table.tsx';
import { StorageValues } from './storage-values.tsx';

const TemplateName = ({ project, template }: { project: number; template: TemplateStorage }) => (
  <Link
    to="/project/$projectId/templates/$templateId"
    params={{ projectId: project, templateId: template.template_id }}
    search={{}}
  >
    {template.name}
  </Link>
);

/** What the tasks of a project use, by template. */
export const StoragePage = ({ project, tabs }: { project: number; tabs: ReactNode }) => {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(storageQuery(project));
  const keptText = ({ logs_days }: TemplateStorage): string =>
    logs_days === 0
      ? t('storage.keptForever')
      : t('storage.keptDays', { count: logs_days, number: numberText(logs_days) });
  return (
    <>
      <PageHeader title={t('history.dashboard')} />
      {tabs}
      {error && !data ? <LoadError text={errorText(error)} retry={() => void refetch()} /> : null}
      {data && data.measured === null ? (
        <EmptyState title={t('storage.title')} text={t('storage.notMeasured')} />
      ) : null}
      {data && data.measured !== null ? (
        <div className={css.page}>
          <StorageValues totals={data} />
          <StorageTable
            label={t('storage.template')}
            total={data.total}
            rows={data.templates.map((template) => ({
              ...template,
              key: template.template_id,
              name: <TemplateName project={project} template={template} />,
              kept: keptText(template),
            }))}
          />
        </div>
      ) : null}
    </>
  );
};
