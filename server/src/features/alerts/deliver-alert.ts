import type { Language } from '@signalbox/contract';
import type { State, StateReader } from '../../database/database.ts';
import { type AlertInput, type Findings, NO_FINDINGS } from './alert-input.ts';
import { messageOf } from './alert-message.ts';
import type { Channel, Content, RecipientKind, Recipients } from './channels/channel.ts';
import type { Channels } from './channels/channels.ts';
import { SendError } from './channels/send-error.ts';
import type { DeliveryRow } from './delivery.store.ts';
import { findingsOf, type RunResults } from './findings.ts';
import { findChat, findMember, findReceiver } from './recipients.ts';

export interface DeliverDeps {
  readonly db: State;
  readonly channels: Channels;
  readonly results: RunResults;
  readonly timezone: string;
  readonly taskUrl: (projectId: number, taskId: number) => string;
}

/** Attempts to read the log. After that the message is sent without findings, because it delays later messages. */
const READS = 4;

const alertOf = async (
  { db, results }: DeliverDeps,
  { alert_id: id, attempts }: DeliveryRow,
): Promise<{ input: AlertInput; findings: Findings }> => {
  const row = await db.selectFrom('alert').select(['input', 'findings']).where('id', '=', id).executeTakeFirstOrThrow();
  const input = JSON.parse(row.input) as AlertInput;
  if (row.findings !== null) return { input, findings: JSON.parse(row.findings) as Findings };
  // Stored for later attempts, because the log may be removed.
  const findings = await findingsOf(input, results).catch((error: unknown) => {
    if (attempts < READS) throw error;
    return NO_FINDINGS;
  });
  await db
    .updateTable('alert')
    .set({ findings: JSON.stringify(findings) })
    .where('id', '=', id)
    .execute();
  return { input, findings };
};

/** @throws SendError when alerts of the project were switched off after the task ended */
const projectOf = async (db: StateReader, id: number) =>
  wanted(
    await db
      .selectFrom('project')
      .select(['id', 'alert_chat', 'alert_language'])
      .where('id', '=', id)
      .where('alert', '=', 1)
      .executeTakeFirst(),
  );

/** @throws SendError for a recipient that has left, or does not want alerts any more */
const wanted = <T>(recipient: T | undefined): T => {
  if (recipient === undefined) throw new SendError('not_wanted');
  return recipient;
};

const send = async (deps: DeliverDeps, row: DeliveryRow, signal: AbortSignal): Promise<void> => {
  const { db, timezone, taskUrl } = deps;
  const project = await projectOf(db, row.project_id);
  const ended = await alertOf(deps, row);
  const { project: of, task } = ended.input;
  const to = async <K extends RecipientKind>(
    channel: Channel<K>,
    recipient: Recipients[K],
    language: Language,
  ): Promise<void> => {
    const message = messageOf({ ...ended, language, timezone, url: taskUrl(of.id, task.id) });
    const content: Content = { message, messageId: row.message_id, at: task.end, ended };
    channel.validate(recipient);
    await channel.deliver(recipient, content, signal);
  };
  const channel = deps.channels[row.channel];
  if (channel.recipient === 'user') {
    const user = wanted(await findMember(db, project.id, row.user_id));
    return await to(channel, user, user.language ?? project.alert_language);
  }
  if (channel.recipient === 'chat') return await to(channel, wanted(findChat(project)), project.alert_language);
  const receiver = wanted(await findReceiver(db, project.id, row.receiver_id));
  // The kind of the receiver may have changed since the alert was stored.
  await to(deps.channels[receiver.kind], receiver, project.alert_language);
};

/**
 * Delivers one message of the outbox, if its recipient still wants it.
 * @returns the reason why it was not delivered, or undefined
 */
export const deliverAlert =
  (deps: DeliverDeps) =>
  async (row: DeliveryRow, signal: AbortSignal): Promise<SendError | undefined> => {
    try {
      await send(deps, row, signal);
      return undefined;
    } catch (error) {
      if (error instanceof SendError) return error;
      throw error;
    }
  };
