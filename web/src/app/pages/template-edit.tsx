import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { isMissing } from '../../api/api-error.ts';
import { templateQuery } from '../../api/queries.ts';
import { TemplateFormDialog } from '../../features/templates/form/template-form-dialog.tsx';
import { storage } from '../../ui/storage.ts';
import type { EditSearch } from '../search.ts';
import { TemplateRoute } from './template.tsx';
import { TemplatesList } from './templates.tsx';

/** The form of a new template over the list. */
export const NewTemplateRoute = () => {
  const { projectId } = useParams({ from: '/signed/project/$projectId' });
  const { copy }: EditSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const params = { projectId };
  return (
    <>
      <TemplatesList />
      <TemplateFormDialog
        project={projectId}
        template="new"
        copy={copy}
        view={storage.lastView(projectId)}
        onClose={() => void navigate({ to: '/project/$projectId/templates', params, search: {} })}
        onSaved={(templateId) =>
          void navigate({
            to: '/project/$projectId/templates/$templateId',
            params: { ...params, templateId },
            search: {},
          })
        }
      />
    </>
  );
};

/** The form of a template over its page. */
export const EditTemplateRoute = () => {
  const { projectId } = useParams({ from: '/signed/project/$projectId' });
  const { templateId = 0 } = useParams({ strict: false });
  const { error } = useQuery(templateQuery(projectId, templateId));
  const navigate = useNavigate();
  const back = () =>
    void navigate({ to: '/project/$projectId/templates/$templateId', params: { projectId, templateId }, search: {} });
  return (
    <>
      <TemplateRoute />
      {isMissing(error) ? null : (
        <TemplateFormDialog project={projectId} template={templateId} onClose={back} onSaved={back} />
      )}
    </>
  );
};
