import type { StoredEndReason } from '@signalbox/contract';
import type { Clock } from '../../../clock.ts';
import { endReasonIn } from '../../../end-reason.ts';
import type { AlertInput } from '../alert-input.ts';
import { plainText } from '../alert-message.ts';
import type { Channel, Content } from './channel.ts';
import { type ReceiverDeps, receiverChannel } from './receiver-channel.ts';
import { signatureOf } from './signature.ts';

const reasonOf = ({ end_reason: reason }: AlertInput['task']): StoredEndReason | null =>
  reason ? { ...reason, text: endReasonIn('en', reason) } : null;

const endedTask = ({ input, findings }: NonNullable<Content['ended']>): object => ({
  project: input.project,
  template: input.template,
  task: { ...input.task, end_reason: reasonOf(input.task) },
  user: input.user,
  schedule: input.schedule,
  webhook: input.webhook ?? '',
  failed_hosts: findings.hosts,
  failed_hosts_total: findings.hosts_total,
  first_error: findings.first_error,
});

const body = ({ message, messageId, at, ended }: Content): object => ({
  id: messageId,
  event: ended ? 'task.ended' : 'test',
  at,
  url: message.link?.url ?? null,
  text: plainText(message),
  ...(ended ? endedTask(ended) : {}),
});

/** Posts all values to a program, with the id of the message, and with a signature if the receiver has a secret. */
export const webhookChannel = ({ clock, ...deps }: ReceiverDeps & { readonly clock: Pick<Clock, 'now'> }) =>
  receiverChannel(deps, (content, { secret }) => {
    const text = JSON.stringify(body(content));
    const timestamp = Math.floor(clock.now().getTime() / 1000);
    return {
      body: text,
      headers: {
        'x-signalbox-delivery': content.messageId,
        'x-signalbox-timestamp': String(timestamp),
        ...(secret === '' ? {} : { 'x-signalbox-signature': signatureOf(secret, timestamp, text) }),
      },
    };
  }) satisfies Channel<'receiver'>;
