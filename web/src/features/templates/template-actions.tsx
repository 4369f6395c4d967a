import type { Template } from '@signalbox/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { queryKey } from '../../api/keys.ts';
import { roleQuery, schedulesQuery } from '../../api/queries.ts';
import { useDeletion } from '../../api/use-deletion.ts';
import { mayByRole, mayDo, mayWith } from '../../ui/access/permissions.ts';
import { IconButton, iconButtonClass } from '../../ui/basics/button.tsx';
import { Icon } from '../../ui/basics/icon.tsx';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import { UsedByDialog } from '../../ui/dialogs/used-by-dialog.tsx';
import { exactTime } from '../../ui/time/time.ts';
import { showToast } from '../../ui/toast/toast-store.ts';
import { byStart } from './next-start.ts';

/** Warns that a template has active schedules. */
const ScheduledRemark = ({ template: { id, project_id } }: { template: Template }) => {
  const { t } = useTranslation();
  const { data = [] } = useQuery(schedulesQuery(project_id, id));
  const active = data.filter((schedule) => schedule.active);
  const next = byStart(active)[0]?.start;
  if (next === undefined) return null;
  return <p>{t('template.deleteScheduled', { count: active.length, when: exactTime(next) })}</p>;
};

/** Buttons to edit, copy and delete a template. */
export const TemplateActions = ({
  template,
  view,
  onDeleted,
}: {
  template: Template;
  /** The view in which the template was opened. */
  view: number | undefined;
  onDeleted: () => void;
}) => {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { id, project_id: project } = template;
  const { data: role } = useQuery(roleQuery(project));
  const { deletion, ask, confirm, close } = useDeletion<Template>({
    references: () => call('getTemplateReferences', { params: { project_id: project, template_id: id } }),
    remove: () => call('deleteTemplate', { params: { project_id: project, template_id: id } }),
    onRemoved: async ({ name }) => {
      showToast('ok', t('template.deleted', { name }));
      onDeleted();
      await client.invalidateQueries({ queryKey: queryKey.templates(project) });
    },
    onRefused: (text) => showToast('error', text),
  });
  const params = { projectId: project };
  const isByRole = mayByRole(role, id, 'edit_templates');
  if (!isByRole && !mayWith(role, id, 'edit')) return null;
  return (
    <>
      {mayDo(role, 'manage_users') ? (
        <Link
          className={iconButtonClass()}
          to="/project/$projectId/templates/$templateId/access"
          params={{ ...params, templateId: id }}
          aria-label={t('grants.title')}
          data-tooltip={t('grants.title')}
        >
          <Icon name="lock" />
        </Link>
      ) : null}
      {isByRole ? (
        <IconButton icon="trash" label={t('list.delete', { name: template.name })} onClick={() => ask(template)} />
      ) : null}
      <Link
        className={iconButtonClass()}
        to="/project/$projectId/templates/new/edit"
        params={params}
        search={view === undefined ? { copy: id } : { copy: id, view }}
        aria-label={t('template.copy')}
        data-tooltip={t('template.copy')}
      >
        <Icon name="copy" />
      </Link>
      <Link
        className={iconButtonClass()}
        {...(view === undefined
          ? ({ to: '/project/$projectId/templates/$templateId/edit', params: { ...params, templateId: id } } as const)
          : ({
              to: '/project/$projectId/views/$viewId/templates/$templateId/edit',
              params: { ...params, viewId: view, templateId: id },
            } as const))}
        search={{}}
        aria-label={t('template.edit')}
        data-tooltip={t('template.edit')}
      >
        <Icon name="edit" />
      </Link>
      {deletion?.step === 'used' ? (
        <UsedByDialog
          project={project}
          noun={t('template.noun')}
          name={template.name}
          references={deletion.references}
          onClose={close}
        />
      ) : null}
      {deletion?.step === 'confirm' ? (
        <ConfirmDialog
          title={t('template.deleteTitle')}
          which={template.name}
          action={t('action.delete')}
          isBusy={confirm.isPending}
          onConfirm={() => confirm.mutate(template)}
          onClose={close}
        >
          <ScheduledRemark template={template} />
          <p>{t('template.deleteText')}</p>
        </ConfirmDialog>
      ) : null}
    </>
  );
};
