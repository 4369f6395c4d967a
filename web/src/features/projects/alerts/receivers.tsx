import type { AlertReceiver } from '@signalbox/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../../api/api-error.ts';
import { call } from '../../../api/call.ts';
import { queryKey } from '../../../api/keys.ts';
import { alertReceiversQuery } from '../../../api/queries.ts';
import { useAlertTest } from '../../../api/use-alert-test.ts';
import { useDeletion } from '../../../api/use-deletion.ts';
import { AlertTestResult } from '../../../ui/alert-test/alert-test-result.tsx';
import { Button, IconButton } from '../../../ui/basics/button.tsx';
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx';
import { arrange, type ListState } from '../../../ui/lists/list-state.ts';
import { ListTable, type ShownColumn } from '../../../ui/lists/list-table.tsx';
import { RowActions } from '../../../ui/lists/row-actions.tsx';
import table from '../../../ui/lists/table.module.css';
import { LoadError } from '../../../ui/page/load-error.tsx';
import { StatusIcon } from '../../../ui/tasks/status-icon.tsx';
import { showToast } from '../../../ui/toast/toast-store.ts';
import css from './alerts.module.css';
import { ReceiverDialog } from './receiver-dialog.tsx';
import { receiverKindLabel } from './receiver-values.ts';

const useColumns = (): ShownColumn<AlertReceiver>[] => {
  const { t } = useTranslation();
  const state = ({ active }: AlertReceiver): string => t(active ? 'alerts.on' : 'alerts.off');
  return [
    { id: 'name', title: 'column.name', text: ({ name }) => name },
    { id: 'kind', title: 'column.type', text: ({ kind }) => t(receiverKindLabel(kind)), width: '30%' },
    {
      id: 'active',
      title: 'column.status',
      text: state,
      cell: (row) => (
        <span className={table.cell}>
          <StatusIcon colour={row.active ? 'ok' : 'wait'} shape={row.active ? 'check' : 'dashed'} />
          {state(row)}
        </span>
      ),
      width: '20%',
    },
  ];
};

/** The alert receivers of a project: add, change, test and delete. */
export const Receivers = ({ project }: { project: number }) => {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { data, error, refetch } = useQuery(alertReceiversQuery(project));
  const columns = useColumns();
  const [state, setState] = useState<ListState>({});
  const [edited, setEdited] = useState<AlertReceiver | 'new'>();
  const params = { project_id: project };
  const test = useAlertTest<AlertReceiver>(({ id }) =>
    call('testAlertReceiver', { params: { ...params, receiver_id: id } }),
  );
  const { deletion, ask, confirm, close } = useDeletion<AlertReceiver>({
    remove: ({ id }) => call('deleteAlertReceiver', { params: { ...params, receiver_id: id } }),
    onRemoved: async ({ name }) => {
      showToast('ok', t('alerts.deleted', { name }));
      await client.invalidateQueries({ queryKey: queryKey.alertReceivers(project) });
    },
    onRefused: (text) => showToast('error', text),
  });
  return (
    <section className={css.section} aria-label={t('alerts.receivers')}>
      <div className={css.head}>
        <h2>{t('alerts.receivers')}</h2>
        <Button icon="plus" onClick={() => setEdited('new')}>
          {t('alerts.add')}
        </Button>
      </div>
      <p className={css.help}>{t('alerts.receiversHelp')}</p>
      {error ? <LoadError text={errorText(error)} retry={() => void refetch()} /> : null}
      {data?.length === 0 || (error && !data) ? null : (
        <ListTable
          label={t('alerts.receivers')}
          columns={columns}
          rows={data && arrange(data, columns, state)}
          keyOf={({ id }) => id}
          state={state}
          onState={(change) => setState({ ...state, ...change })}
          actions={(row) => (
            <>
              <IconButton
                icon="send"
                label={t('alerts.testOf', { name: row.name })}
                disabled={test.isPending}
                onClick={() => test.send(row)}
              />
              <RowActions name={row.name} onEdit={() => setEdited(row)} onDelete={() => ask(row)} />
            </>
          )}
        />
      )}
      <AlertTestResult result={test.result} error={test.error} />
      {edited ? (
        <ReceiverDialog
          project={project}
          receiver={edited === 'new' ? undefined : edited}
          onClose={() => setEdited(undefined)}
        />
      ) : null}
      {deletion ? (
        <ConfirmDialog
          title={t('alerts.deleteTitle')}
          which={deletion.item.name}
          action={t('action.delete')}
          isBusy={confirm.isPending}
          onConfirm={() => confirm.mutate(deletion.item)}
          onClose={close}
        >
          <p>{t('alerts.deleteText')}</p>
        </ConfirmDialog>
      ) : null}
    </section>
  );
};
