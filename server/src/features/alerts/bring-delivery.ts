import type { Language } from '@signalbox/contract';
import type { Clock } from '../../clock.ts';
import type { State, StateReader } from '../../database/database.ts';
import type { MasterKey } from '../../secrets/master-key.ts';
import { type AlertFacts, type Findings, NO_FINDINGS } from './alert-facts.ts';
import { type AlertMessage, messageOf, plainText } from './alert-message.ts';
import type { AddressPolicy } from './channels/address-policy.ts';
import { type SmtpSettings, sendMail } from './channels/email.ts';
import { addressOf } from './channels/receiver-address.ts';
import { postToReceiver } from './channels/receiver-post.ts';
import { SendFault } from './channels/send-fault.ts';
import { sendTelegram, type TelegramSettings } from './channels/telegram.ts';
import type { DeliveryRow } from './delivery.store.ts';
import { findingsOf, type RunResults } from './findings.ts';

/** What the channels need. */
export interface Channels {
  /** Undefined where the settings name none. */
  readonly smtp: SmtpSettings | undefined;
  readonly telegram: TelegramSettings | undefined;
  /** Where receivers of projects may be. */
  readonly policy: AddressPolicy;
}

export interface BringNeeds {
  readonly db: State;
  readonly clock: Clock;
  readonly master: MasterKey;
  readonly channels: Channels;
  readonly results: RunResults;
  readonly timezone: string;
  readonly taskUrl: (projectId: number, taskId: number) => string;
}

/** So often a log that cannot be read is waited for. Then the message goes without what it says: it holds up others. */
const READS = 4;

const alertOf = async (
  { db, results }: BringNeeds,
  { alert_id: id, attempts }: DeliveryRow,
): Promise<{ facts: AlertFacts; findings: Findings }> => {
  const row = await db.selectFrom('alert').select(['facts', 'findings']).where('id', '=', id).executeTakeFirstOrThrow();
  const facts = JSON.parse(row.facts) as AlertFacts;
  if (row.findings !== null) return { facts, findings: JSON.parse(row.findings) as Findings };
  // Kept for the attempts to come: by then the log may be gone.
  const findings = await findingsOf(facts, results).catch((error: unknown) => {
    if (attempts < READS) throw error;
    return NO_FINDINGS;
  });
  await db
    .updateTable('alert')
    .set({ findings: JSON.stringify(findings) })
    .where('id', '=', id)
    .execute();
  return { facts, findings };
};

const notWanted = (): SendFault => new SendFault('not_wanted');

/** Projects may have stopped their alerts since the task ended. */
const projectOf = async (db: StateReader, id: number): Promise<{ alert_chat: string; alert_language: Language }> => {
  const project = await db
    .selectFrom('project')
    .select(['alert_chat', 'alert_language'])
    .where('id', '=', id)
    .where('alert', '=', 1)
    .executeTakeFirst();
  if (!project) throw notWanted();
  return project;
};

/** Users may have left the project since, want no alerts any more, or have an address that is not confirmed. */
const userOf = async (db: StateReader, row: DeliveryRow): Promise<{ email: string; language: Language | null }> => {
  const user = await db
    .selectFrom('users')
    .innerJoin('project_user', 'project_user.user_id', 'users.id')
    .select(['users.email', 'users.language'])
    .where('users.id', '=', row.user_id)
    .where('users.alert', '=', 1)
    .where('users.email_proven', '=', 1)
    .where('project_user.project_id', '=', row.project_id)
    .executeTakeFirst();
  if (!user) throw notWanted();
  return user;
};

const receiverOf = async (db: StateReader, id: number | null) => {
  const receiver = await db
    .selectFrom('alert_receiver')
    .selectAll()
    .where('id', '=', id)
    .where('active', '=', 1)
    .executeTakeFirst();
  if (!receiver) throw notWanted();
  return receiver;
};

const bring = async (needs: BringNeeds, row: DeliveryRow, signal: AbortSignal): Promise<void> => {
  const { db, channels, timezone, taskUrl, master, clock } = needs;
  const project = await projectOf(db, row.project_id);
  const { facts, findings } = await alertOf(needs, row);
  const url = taskUrl(facts.project.id, facts.task.id);
  const message = (language: Language): AlertMessage => messageOf({ facts, findings, language, timezone, url });
  if (row.channel === 'email') {
    const user = await userOf(db, row);
    if (!channels.smtp) throw new SendFault('not_configured');
    const said = message(user.language ?? project.alert_language);
    const mail = { to: user.email, subject: `[${facts.project.name}] ${said.title}`, text: plainText(said) };
    return await sendMail(channels.smtp, { ...mail, messageId: row.message_id }, signal);
  }
  if (row.channel === 'telegram') {
    const chat = project.alert_chat.trim();
    if (chat === '') throw notWanted();
    if (!channels.telegram) throw new SendFault('not_configured');
    return await sendTelegram(channels.telegram, chat, plainText(message(project.alert_language)), signal);
  }
  const receiver = await receiverOf(db, row.receiver_id);
  await postToReceiver(
    receiver.kind,
    addressOf(master, receiver),
    {
      message: message(project.alert_language),
      messageId: row.message_id,
      at: facts.task.end,
      ended: { facts, findings },
    },
    { policy: channels.policy, now: clock.now(), signal },
  );
};

/**
 * Brings one message of the outbox to its receiver, if that still wants it.
 * @returns the reason why it did not arrive, or undefined
 */
export const bringDelivery =
  (needs: BringNeeds) =>
  async (row: DeliveryRow, signal: AbortSignal): Promise<SendFault | undefined> => {
    try {
      await bring(needs, row, signal);
      return undefined;
    } catch (error) {
      if (error instanceof SendFault) return error;
      throw error;
    }
  };
