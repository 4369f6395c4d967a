import { Switch } from '@mantine/core';
import type { Webhook } from '@signalbox/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { queryKey } from '../../api/keys.ts';
import { roleQuery, templatesQuery, webhooksQuery } from '../../api/queries.ts';
import { useDeletion } from '../../api/use-deletion.ts';
import { mayByRole, mayDo } from '../../ui/access/permissions.ts';
import { Button } from '../../ui/basics/button.tsx';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import { ListPage } from '../../ui/lists/list-page.tsx';
import { arrange, type ListState } from '../../ui/lists/list-state.ts';
import { ListTable, type ShownColumn } from '../../ui/lists/list-table.tsx';
import { RowActions } from '../../ui/lists/row-actions.tsx';
import table from '../../ui/lists/table.module.css';
import { Ago } from '../../ui/time/times.tsx';
import { showToast } from '../../ui/toast/toast-store.ts';
import { CallResult } from './call-result.tsx';
import { CHECK_LABELS } from './webhook-labels.ts';
import css from './webhooks.module.css';

type ListedWebhook = Webhook & { readonly template_name: string };

/** State of the page in the URL. */
export interface WebhooksState extends ListState {
  /** The only template whose webhooks are shown. */
  template?: number | undefined;
}

export interface WebhooksPageProps {
  project: number;
  state: WebhooksState;
  onState: (change: WebhooksState) => void;
  onOpen: (webhook: number | 'new') => void;
}

const useChanges = (project_id: number) => {
  const { t } = useTranslation();
  const client = useQueryClient();
  const changed = () => client.invalidateQueries({ queryKey: queryKey.webhooks(project_id) });
  const activation = useMutation({
    mutationFn: ({ id: webhook_id, active }: { id: number; active: boolean }) =>
      call('updateWebhook', { params: { project_id, webhook_id }, body: { active } }),
    onSettled: changed,
    onError: (error) => showToast('error', errorText(error)),
  });
  const deletion = useDeletion<ListedWebhook>({
    remove: ({ id: webhook_id }) => call('deleteWebhook', { params: { project_id, webhook_id } }),
    onRemoved: async () => {
      showToast('ok', t('webhooks.deleted'));
      await changed();
    },
    onRefused: (text) => showToast('error', text),
  });
  return { activation, deletion };
};

/** The webhooks of a project, or of one template: addresses at which other programs start tasks. */
export const WebhooksPage = ({ project, state, onState, onOpen }: WebhooksPageProps) => {
  const { t } = useTranslation();
  const query = useQuery(webhooksQuery(project));
  const { data: templates } = useQuery(templatesQuery(project));
  const { data: role } = useQuery(roleQuery(project));
  const { activation, deletion } = useChanges(project);
  const mayEdit = mayDo(role, 'edit_schedules');
  const nameOf = (id: number) => templates?.find((template) => template.id === id)?.name ?? '';
  const listed = query.data
    ?.filter(({ template_id }) => state.template === undefined || template_id === state.template)
    .map((webhook): ListedWebhook => ({ ...webhook, template_name: nameOf(webhook.template_id) }));
  const columns: ShownColumn<ListedWebhook>[] = [
    {
      id: 'name',
      title: 'column.name',
      wraps: true,
      text: ({ name }) => name,
      cell: (row) => (
        <Link
          className={table.name ?? ''}
          to="/project/$projectId/webhooks/$webhookId"
          params={{ projectId: project, webhookId: row.id }}
          search={{}}
          title={row.name}
        >
          {row.name}
        </Link>
      ),
    },
    {
      id: 'template',
      title: 'template.title',
      text: ({ template_name }) => template_name,
      width: '22%',
      cell: (row) => (
        <Link
          to="/project/$projectId/templates/$templateId"
          params={{ projectId: project, templateId: row.template_id }}
          search={{}}
          title={row.template_name}
        >
          {row.template_name}
        </Link>
      ),
    },
    {
      id: 'check',
      title: 'webhooks.check',
      text: ({ sender_check }) => t(CHECK_LABELS[sender_check]),
      width: '17%',
      wraps: true,
    },
    {
      id: 'last',
      title: 'webhooks.lastCall',
      text: ({ newest_call }) => newest_call?.time ?? '',
      order: ({ newest_call }) => (newest_call === null ? 0 : -Date.parse(newest_call.time)),
      width: '17%',
      cell: ({ newest_call }) =>
        newest_call === null ? (
          <span className="muted">{t('webhooks.never')}</span>
        ) : (
          <span className={css.lastCall}>
            <CallResult result={newest_call.result} />
            <small>
              <Ago at={newest_call.time} />
            </small>
          </span>
        ),
    },
    {
      id: 'active',
      title: 'webhooks.active',
      text: () => '',
      order: ({ active }) => (active ? 0 : 1),
      width: '76px',
      cell: (row) => (
        <Switch
          aria-label={t('webhooks.activeOf', { name: row.name })}
          checked={row.active}
          disabled={!mayByRole(role, row.template_id, 'edit_schedules') || activation.isPending}
          onChange={(event) => activation.mutate({ id: row.id, active: event.currentTarget.checked })}
        />
      ),
    },
  ];
  const rows = listed && arrange(listed, columns, state);
  return (
    <>
      <ListPage
        title={t('webhooks.title')}
        add={mayEdit ? t('webhooks.new') : undefined}
        onAdd={() => onOpen('new')}
        filter={t('webhooks.filter')}
        pager={
          state.template === undefined ? null : (
            <Button small variant="quiet" icon="close" onClick={() => onState({ template: undefined })}>
              {t('webhooks.onlyOf', { template: nameOf(state.template) })}
            </Button>
          )
        }
        count={listed?.length}
        shown={rows?.length ?? 0}
        state={state}
        onState={onState}
        error={query.error ? errorText(query.error) : undefined}
        onRetry={() => void query.refetch()}
        emptyTitle={t(state.template === undefined ? 'webhooks.emptyTitle' : 'webhooks.emptyTemplate')}
        emptyText={t('webhooks.emptyText')}
      >
        <ListTable
          label={t('webhooks.title')}
          columns={columns}
          rows={rows}
          keyOf={({ id }) => id}
          state={state}
          onState={onState}
          actions={
            mayEdit
              ? (row) =>
                  mayByRole(role, row.template_id, 'edit_schedules') ? (
                    <RowActions name={row.name} onEdit={() => onOpen(row.id)} onDelete={() => deletion.ask(row)} />
                  ) : null
              : undefined
          }
        />
      </ListPage>
      {deletion.deletion ? (
        <ConfirmDialog
          title={t('webhooks.deleteTitle')}
          which={deletion.deletion.item.name}
          action={t('action.delete')}
          isBusy={deletion.confirm.isPending}
          onConfirm={() => deletion.deletion && deletion.confirm.mutate(deletion.deletion.item)}
          onClose={deletion.close}
        >
          <p>{t('webhooks.deleteText')}</p>
        </ConfirmDialog>
      ) : null}
    </>
  );
};
