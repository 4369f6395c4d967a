import type { ReceiverKind } from '@signalbox/contract';
import type { StateReader } from '../../database/database.ts';
import type { AnyChannel, Channel, RecipientDescription, Recipients } from './channels/channel.ts';
import type { Channels } from './channels/channels.ts';

/** A recipient as it is stored with a delivery. */
export interface StoredRecipient extends RecipientDescription {
  readonly channel: keyof Channels;
  readonly user_id: number | null;
  readonly receiver_id: number | null;
}

interface AlertProject {
  readonly id: number;
  readonly alert_chat: string;
}

const members = (db: StateReader, projectId: number) =>
  db
    .selectFrom('project_user')
    .innerJoin('users', 'users.id', 'project_user.user_id')
    .select(['users.id', 'users.name', 'users.email', 'users.language'])
    .where('project_user.project_id', '=', projectId)
    .where('users.alert', '=', 1)
    // An unconfirmed address may belong to another person.
    .where('users.email_proven', '=', 1)
    .orderBy('users.id');

const receivers = (db: StateReader, projectId: number) =>
  db
    .selectFrom('alert_receiver')
    .select(['id', 'name', 'kind', 'secret'])
    .where('project_id', '=', projectId)
    .where('active', '=', 1)
    .orderBy('id');

const chatOf = (project: AlertProject): Recipients['chat'] => ({
  projectId: project.id,
  chat: project.alert_chat.trim(),
});

/** The member of a delivery, with the language of the user. Undefined if the user no longer wants or may get alerts. */
export const findMember = (db: StateReader, projectId: number, userId: number | null) =>
  members(db, projectId).where('users.id', '=', userId).executeTakeFirst();

/** The receiver of a delivery. Undefined if it was deleted or deactivated. */
export const findReceiver = (db: StateReader, projectId: number, id: number | null) =>
  receivers(db, projectId).where('id', '=', id).executeTakeFirst();

/** The chat of a project. Undefined if it was removed. */
export const findChat = (project: AlertProject): Recipients['chat'] | undefined => {
  const chat = chatOf(project);
  return chat.chat === '' ? undefined : chat;
};

const storedUser = (name: keyof Channels, channel: Channel<'user'>, user: Recipients['user']): StoredRecipient => ({
  ...{ channel: name, user_id: user.id, receiver_id: null },
  ...channel.describe(user),
});

const storedChat = (name: keyof Channels, channel: Channel<'chat'>, chat: Recipients['chat']): StoredRecipient => ({
  ...{ channel: name, user_id: null, receiver_id: null },
  ...channel.describe(chat),
});

const storedReceiver = (channels: Channels, receiver: Recipients['receiver']): StoredRecipient => ({
  ...{ channel: receiver.kind satisfies ReceiverKind, user_id: null, receiver_id: receiver.id },
  ...channels[receiver.kind].describe(receiver),
});

const ofProject = async (
  db: StateReader,
  project: AlertProject,
  [name, channel]: readonly [keyof Channels, AnyChannel],
): Promise<StoredRecipient[]> => {
  if (!channel.isConfigured) return [];
  if (channel.recipient === 'user')
    return (await members(db, project.id).execute()).map((user) => storedUser(name, channel, user));
  if (channel.recipient === 'chat') {
    const chat = findChat(project);
    return chat ? [storedChat(name, channel, chat)] : [];
  }
  // Receivers are listed once, for all of their channels together.
  return [];
};

/** Lists everyone who gets alerts of a project: members, its chat and its receivers. */
export const listRecipients = async (
  db: StateReader,
  project: AlertProject,
  channels: Channels,
): Promise<StoredRecipient[]> => {
  const stored: StoredRecipient[] = [];
  for (const entry of Object.entries(channels) as [keyof Channels, AnyChannel][])
    stored.push(...(await ofProject(db, project, entry)));
  const posted = await receivers(db, project.id).execute();
  return [...stored, ...posted.map((receiver) => storedReceiver(channels, receiver))];
};
