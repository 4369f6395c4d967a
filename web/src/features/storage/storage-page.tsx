import type { TemplateStorage } from '@signalbox/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { storageQuery } from '../../api/storage-queries.ts';
import { numberText } from '../../lang/locale.ts';
import { PageHeader } from '../../ui/page/page.tsx';
import { StorageView } from './storage-view.tsx';

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
  const query = useQuery(storageQuery(project));
  const keptText = ({ logs_days }: TemplateStorage): string =>
    logs_days === 0
      ? t('storage.keptForever')
      : t('storage.keptDays', { count: logs_days, number: numberText(logs_days) });
  return (
    <>
      <PageHeader title={t('history.dashboard')} />
      {tabs}
      <StorageView
        query={query}
        label={t('storage.template')}
        rows={(query.data?.templates ?? []).map((template) => ({
          ...template,
          key: template.template_id,
          name: <TemplateName project={project} template={template} />,
          kept: keptText(template),
        }))}
      />
    </>
  );
};
