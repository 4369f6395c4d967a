import { useNavigate, useParams } from '@tanstack/react-router';
import { TemplatePage } from '../../features/templates/template-page.tsx';

export const TemplateRoute = () => {
  const { projectId } = useParams({ from: '/signed/project/$projectId' });
  const { viewId, templateId = 0 } = useParams({ strict: false });
  const navigate = useNavigate();
  return (
    <TemplatePage
      project={projectId}
      view={viewId}
      template={templateId}
      key={templateId}
      onDeleted={() => void navigate({ to: '/project/$projectId/templates', params: { projectId }, search: {} })}
    />
  );
};
