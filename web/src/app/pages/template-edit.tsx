import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { isMissing } from '../../api/api-error.ts';
import { roleQuery, templateQuery } from '../../api/queries.ts';
import { TemplateFormDialog } from '../../features/templates/form/template-form-dialog.tsx';
import { mayDo, mayWith } from '../../ui/access/permissions.ts';
import { Alert } from '../../ui/basics/alert.tsx';
import { storage } from '../../ui/browser/storage.ts';
import type { EditSearch } from '../search.ts';
import { TemplateRoute } from './template.tsx';
import { TemplatesList } from './templates.tsx';

/** Whether the user may change a template, or create one. */
const useMayEdit = (project: number, template: number): boolean =>
  mayWith(useQuery(roleQuery(project)).data, template, 'edit');

/** Shown above the page in place of the form, for users who may only read. */
const ReadOnly = ({ project }: { project: number }) => {
  const { t } = useTranslation();
  const { data: role } = useQuery(roleQuery(project));
  return <Alert colour="wait">{t(mayDo(role, 'run_tasks') ? 'newTask.runOnly' : 'newTask.readOnly')}</Alert>;
};

/** Navigates to the page of a template, in the view from which it was opened. */
const toTemplate = (
  navigate: ReturnType<typeof useNavigate>,
  projectId: number,
  viewId: number | undefined,
  templateId: number,
): Promise<void> =>
  viewId === undefined
    ? navigate({ to: '/project/$projectId/templates/$templateId', params: { projectId, templateId }, search: {} })
    : navigate({
        to: '/project/$projectId/views/$viewId/templates/$templateId',
        params: { projectId, viewId, templateId },
        search: {},
      });

/** The form of a new template over the list. */
export const NewTemplateRoute = () => {
  const { projectId } = useParams({ from: '/signed/project/$projectId' });
  const mayEdit = useMayEdit(projectId, 0);
  const { copy, view }: EditSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const params = { projectId };
  if (!mayEdit) {
    return (
      <>
        <ReadOnly project={projectId} />
        <TemplatesList />
      </>
    );
  }
  return (
    <>
      <TemplatesList />
      <TemplateFormDialog
        project={projectId}
        template="new"
        copy={copy}
        view={storage.lastView(projectId)}
        onClose={() =>
          void (copy === undefined
            ? navigate({ to: '/project/$projectId/templates', params, search: {} })
            : toTemplate(navigate, projectId, view, copy))
        }
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
  const { viewId, templateId = 0 } = useParams({ strict: false });
  const { field }: EditSearch = useSearch({ strict: false });
  const mayEdit = useMayEdit(projectId, templateId);
  const { data, error } = useQuery(templateQuery(projectId, templateId));
  const navigate = useNavigate();
  const back = () => void toTemplate(navigate, projectId, viewId, templateId);
  return (
    <>
      {mayEdit ? null : <ReadOnly project={projectId} />}
      <TemplateRoute />
      {(isMissing(error) && data === undefined) || !mayEdit ? null : (
        <TemplateFormDialog
          project={projectId}
          template={templateId}
          focus={field === 'limit' ? undefined : field}
          onClose={back}
          onSaved={back}
        />
      )}
    </>
  );
};
