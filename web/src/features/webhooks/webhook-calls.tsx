import type { Webhook, WebhookCall } from '@signalbox/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { queryKey } from '../../api/keys.ts';
import { webhookCallQuery, webhookCallsQuery } from '../../api/queries.ts';
import { eventTexts } from '../../lang/event-texts.ts';
import { sizeText } from '../../lang/locale.ts';
import { Button } from '../../ui/basics/button.tsx';
import { TextButton } from '../../ui/basics/text-button.tsx';
import { SkeletonRows } from '../../ui/lists/skeleton-rows.tsx';
import table from '../../ui/lists/table.module.css';
import { LoadError } from '../../ui/page/load-error.tsx';
import { TaskLink } from '../../ui/tasks/task-cells.tsx';
import { Ago } from '../../ui/time/times.tsx';
import { showToast } from '../../ui/toast/toast-store.ts';
import { CallDialog } from './call-dialog.tsx';
import { CallResult } from './call-result.tsx';
import { type Sample, sampleOf } from './webhook-values.ts';
import css from './webhooks.module.css';

interface CallsProps {
  webhook: Webhook;
  /** Whether the user may see headers and bodies, and try them. */
  mayEdit: boolean;
  mayRun: boolean;
  onTry: (sample: Sample) => void;
}

const COLUMNS = [
  ['time', 'webhooks.time'],
  ['sender', 'webhooks.sender'],
  ['event', 'webhooks.event'],
  ['result', 'webhooks.result'],
  ['outcome', 'webhooks.outcome'],
  ['size', 'webhooks.size'],
] as const;

/** The calls that a webhook received, newest first. */
export const WebhookCalls = ({ webhook, mayEdit, mayRun, onTry }: CallsProps) => {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [opened, setOpened] = useState<WebhookCall>();
  const query = useQuery(webhookCallsQuery(webhook.project_id, webhook.id));
  const onError = (error: Error) => showToast('error', errorText(error));
  const trial = useMutation({
    mutationFn: ({ id }: WebhookCall) => client.fetchQuery(webhookCallQuery(webhook.project_id, webhook.id, id)),
    onSuccess: (content) => onTry(sampleOf(content)),
    onError,
  });
  const sending = useMutation({
    mutationFn: ({ id }: WebhookCall) => {
      const params = { project_id: webhook.project_id, webhook_id: webhook.id, call_id: id };
      return call('resendWebhookCall', { params });
    },
    onSuccess: ({ result, task_id }) => {
      if (result === 'started') showToast('ok', t('webhooks.started', { id: task_id ?? 0 }));
      else showToast('error', t('webhooks.startedNothing'));
    },
    onError,
    onSettled: () => client.invalidateQueries({ queryKey: queryKey.webhooks(webhook.project_id) }),
  });
  const calls = query.data;
  return (
    <section className={css.calls} aria-label={t('webhooks.calls')}>
      <h2>
        {t('webhooks.calls')} <small>{t('webhooks.callsHelp')}</small>
      </h2>
      {query.error ? <LoadError text={errorText(query.error)} retry={() => void query.refetch()} /> : null}
      {calls?.length === 0 ? (
        <p className={css.help}>{t('webhooks.noCalls')}</p>
      ) : (
        <div className={table.scroll}>
          <table
            className={`${table.table} ${table.cards} ${css.callTable}`}
            aria-label={t('webhooks.calls')}
            aria-busy={query.isPending}
          >
            <thead>
              <tr>
                {COLUMNS.map(([column, key]) => (
                  <th key={column} scope="col" className={css[column]}>
                    {t(key)}
                  </th>
                ))}
                <th scope="col" className={css.callActions}>
                  <span className="sr">{t('column.actions')}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {query.isPending ? <SkeletonRows columns={7} /> : null}
              {calls?.map((received) => (
                <tr key={received.id} data-call={received.id}>
                  <td className={css.time}>
                    {mayEdit ? (
                      <TextButton onClick={() => setOpened(received)}>
                        <Ago at={received.time} />
                      </TextButton>
                    ) : (
                      <Ago at={received.time} />
                    )}
                  </td>
                  <td className={`${css.sender} mono`} title={received.sender}>
                    {received.sender}
                  </td>
                  <td className={css.event} title={received.event}>
                    {received.event}
                  </td>
                  <td className={css.result}>
                    <CallResult result={received.result} />
                  </td>
                  <td className={css.outcome}>
                    {received.task_id === null ? null : <TaskLink id={received.task_id} />}{' '}
                    {received.reason === null ? null : eventTexts.text(received.reason, received.description)}
                  </td>
                  <td className={css.size}>{sizeText(received.size)}</td>
                  <td className={css.callActions}>
                    {mayEdit ? (
                      <Button small variant="quiet" busy={trial.isPending} onClick={() => trial.mutate(received)}>
                        {t('webhooks.tryThis')}
                      </Button>
                    ) : null}
                    {mayRun && received.can_resend ? (
                      <Button small variant="quiet" busy={sending.isPending} onClick={() => sending.mutate(received)}>
                        {t('webhooks.sendAgain')}
                      </Button>
                    ) : null}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {opened ? (
        <CallDialog
          project={webhook.project_id}
          received={opened}
          onTry={(sample) => {
            setOpened(undefined);
            onTry(sample);
          }}
          onClose={() => setOpened(undefined)}
        />
      ) : null}
    </section>
  );
};
