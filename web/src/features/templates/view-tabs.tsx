import type { Template } from '@signalbox/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { viewsQuery } from '../../api/queries.ts';
import { Tabs } from '../../ui/page/page.tsx';

/** The list state stays when the user opens another view. */
interface Kept {
  q?: string | undefined;
  sort?: string | undefined;
  label?: number | undefined;
  group?: 'label' | undefined;
}
const state = ({ q, sort, label, group }: Kept) => ({
  ...(q === undefined ? {} : { q }),
  ...(sort === undefined ? {} : { sort }),
  ...(label === undefined ? {} : { label }),
  ...(group === undefined ? {} : { group }),
});

/** A tab for all templates and one per view, each with its number of templates. */
export const ViewTabs = ({ project, templates }: { project: number; templates: readonly Template[] | undefined }) => {
  const { t } = useTranslation();
  const { data: views = [] } = useQuery(viewsQuery(project));
  const params = { projectId: project };
  return (
    <Tabs label={t('templates.views')}>
      <Link to="/project/$projectId/templates" params={params} search={state} activeOptions={{ exact: true }}>
        {t('templates.all')} <small>{templates?.length}</small>
      </Link>
      {views.map((view) => (
        <Link
          key={view.id}
          to="/project/$projectId/views/$viewId/templates"
          params={{ ...params, viewId: view.id }}
          search={state}
        >
          {view.title} <small>{templates?.filter((template) => template.view_id === view.id).length}</small>
        </Link>
      ))}
    </Tabs>
  );
};
