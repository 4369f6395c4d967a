import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { RunMenu } from '../../features/launch/saved/run-menu.tsx';
import { TemplatePage } from '../../features/templates/template-page.tsx';
import { TemplateTimes } from '../../features/times/template-times.tsx';
import type { PagedState } from '../../ui/lists/list-state.ts';
import type { ListSearch } from '../search.ts';
import { useListUrl } from '../use-list-url.ts';

export const TemplateRoute = () => {
  const { projectId } = useParams({ from: '/signed/project/$projectId' });
  const { viewId, templateId = 0 } = useParams({ strict: false });
  const { page }: ListSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  return (
    <TemplatePage
      RunMenu={RunMenu}
      Times={TemplateTimes}
      project={projectId}
      view={viewId}
      template={templateId}
      state={{ page }}
      onState={useListUrl<PagedState>()}
      key={templateId}
      onDeleted={() => void navigate({ to: '/project/$projectId/templates', params: { projectId }, search: {} })}
    />
  );
};
