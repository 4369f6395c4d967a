import type { StoredEndReason } from '@signalbox/contract';
import { reasonText } from '../../../audit/read-event.ts';
import type { Clock } from '../../../clock.ts';
import { endReasonIn } from '../../../end-reason.ts';
import type { TaskAlertInput } from '../alert-input.ts';
import { plainText } from '../alert-message.ts';
import type { Channel, Content } from './channel.ts';
import { type ReceiverDeps, receiverChannel } from './receiver-channel.ts';
import { signatureOf } from './signature.ts';

const reasonOf = ({ end_reason: reason }: TaskAlertInput['task']): StoredEndReason | null =>
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
  failures: findings.failures ?? [],
  failures_total: findings.failures_total ?? 0,
  first_error: findings.first_error,
});

const notStartedSchedule = ({ project, template, not_started }: NonNullable<Content['notStarted']>): object => ({
  project,
  template,
  schedule: not_started.schedule,
  due: not_started.due,
  reason: { ...not_started.reason, text: reasonText(not_started.reason) },
});

const pendingTask = ({ pending: task, ...input }: NonNullable<Content['pending']>): object => ({ ...input, task });

const silentTask = ({ silent, ...input }: NonNullable<Content['silent']>): object => {
  const { id, playbook, ...hosts } = silent;
  return { ...input, task: { id, playbook }, silent_hosts: hosts };
};

const eventOf = ({ ended, notStarted, pending, silent }: Content): string => {
  if (ended) return 'task.ended';
  if (silent) return 'task.hosts_silent';
  if (pending) return 'task.approval_needed';
  return notStarted ? 'schedule.not_started' : 'test';
};

const body = (content: Content): object => ({
  id: content.messageId,
  event: eventOf(content),
  at: content.at,
  url: content.message.link?.url ?? null,
  text: plainText(content.message),
  ...(content.ended ? endedTask(content.ended) : {}),
  ...(content.pending ? pendingTask(content.pending) : {}),
  ...(content.silent ? silentTask(content.silent) : {}),
  ...(content.notStarted ? notStartedSchedule(content.notStarted) : {}),
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
