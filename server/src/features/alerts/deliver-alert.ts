import type { Language } from '@signalbox/contract';
import type { State, StateReader } from '../../database/database.ts';
import { type AlertInput, type Findings, NO_FINDINGS, type TaskAlertInput } from './alert-input.ts';
import { messageOf } from './alert-message.ts';
import { approvalMessageOf } from './approval-message.ts';
import type { Channel, Content, RecipientKind, Recipients } from './channels/channel.ts';
import type { Channels } from './channels/channels.ts';
import { SendError } from './channels/send-error.ts';
import type { DeliveryRow } from './delivery.store.ts';
import { findingsOf, type RunResults } from './findings.ts';
import { findChat, findMember, findReceiver } from './recipients.ts';
import { scheduleMessageOf } from './schedule-message.ts';
import { silentMessageOf } from './silent-message.ts';

export interface DeliverDeps {
  readonly db: State;
  readonly channels: Channels;
  readonly results: RunResults;
  readonly timezone: string;
  readonly taskUrl: (projectId: number, taskId: number) => string;
  readonly scheduleUrl: (projectId: number, scheduleId: number) => string;
}

/** Attempts to read the log. After that the message is sent without findings, because it delays later messages. */
const READS = 4;

interface StoredAlert {
  readonly input: AlertInput;
  readonly findings: string | null;
  readonly created: string;
}

const alertOf = async (db: State, id: number): Promise<StoredAlert> => {
  const row = await db
    .selectFrom('alert')
    .select(['input', 'findings', 'created'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return { ...row, input: JSON.parse(row.input) as AlertInput };
};

const endedTask = async (
  { db, results }: DeliverDeps,
  { alert_id: id, attempts }: DeliveryRow,
  input: TaskAlertInput,
  stored: string | null,
): Promise<{ input: TaskAlertInput; findings: Findings }> => {
  if (stored !== null) return { input, findings: JSON.parse(stored) as Findings };
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

/** Reads what a message is about. The content is made for each language. */
const contentOf = async (deps: DeliverDeps, row: DeliveryRow): Promise<(language: Language) => Content> => {
  const { db, timezone, taskUrl, scheduleUrl } = deps;
  const { input, findings, created } = await alertOf(db, row.alert_id);
  const { id } = input.project;
  const messageId = row.message_id;
  if ('not_started' in input) {
    const url = scheduleUrl(id, input.not_started.schedule.id);
    return (language) => ({
      message: scheduleMessageOf({ input, language, timezone, url }),
      ...{ messageId, at: created, notStarted: input },
    });
  }
  if ('pending' in input) {
    const url = taskUrl(id, input.pending.id);
    return (language) => ({
      message: approvalMessageOf({ input, language, url }),
      ...{ messageId, at: created, pending: input },
    });
  }
  if ('silent' in input) {
    const url = taskUrl(id, input.silent.id);
    return (language) => ({
      message: silentMessageOf({ input, language, timezone, url }),
      ...{ messageId, at: created, silent: input },
    });
  }
  const ended = await endedTask(deps, row, input, findings);
  const url = taskUrl(id, input.task.id);
  return (language) => ({
    message: messageOf({ ...ended, language, timezone, url }),
    ...{ messageId, at: input.task.end, ended },
  });
};

const send = async (deps: DeliverDeps, row: DeliveryRow, signal: AbortSignal): Promise<void> => {
  const { db } = deps;
  const project = await projectOf(db, row.project_id);
  const contentIn = await contentOf(deps, row);
  const to = async <K extends RecipientKind>(
    channel: Channel<K>,
    recipient: Recipients[K],
    language: Language,
  ): Promise<void> => {
    channel.validate(recipient);
    await channel.deliver(recipient, contentIn(language), signal);
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
