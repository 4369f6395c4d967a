import { randomUUID } from 'node:crypto';
import { type AlertChannel, isFinal } from '@signalbox/contract';
import type { Selectable } from 'kysely';
import type { StateTransaction } from '../../database/database.ts';
import type { ProjectTable, TaskTable } from '../../database/schema.ts';
import { storedEndReason } from '../../end-reason.ts';
import type { AlertFacts } from './alert-facts.ts';

type TaskRow = Selectable<TaskTable>;

/** What the settings of the server let alerts be sent by. */
export interface ServerChannels {
  readonly email: boolean;
  readonly telegram: boolean;
}

interface Receiver {
  readonly channel: AlertChannel;
  readonly queue: string;
  readonly name: string;
  readonly user_id: number | null;
  readonly receiver_id: number | null;
}

const members = async (tx: StateTransaction, projectId: number): Promise<Receiver[]> => {
  const users = await tx
    .selectFrom('project_user')
    .innerJoin('users', 'users.id', 'project_user.user_id')
    .select(['users.id', 'users.name'])
    .where('project_user.project_id', '=', projectId)
    .where('users.alert', '=', 1)
    // An unproven address may be that of another person.
    .where('users.email_proven', '=', 1)
    .orderBy('users.id')
    .execute();
  return users.map(({ id, name }) => ({
    channel: 'email',
    queue: `user:${id}`,
    name,
    user_id: id,
    receiver_id: null,
  }));
};

const places = async (tx: StateTransaction, projectId: number): Promise<Receiver[]> => {
  const rows = await tx
    .selectFrom('alert_receiver')
    .select(['id', 'name', 'kind'])
    .where('project_id', '=', projectId)
    .where('active', '=', 1)
    .orderBy('id')
    .execute();
  return rows.map(({ id, name, kind }) => ({
    channel: kind,
    queue: `receiver:${id}`,
    name,
    user_id: null,
    receiver_id: id,
  }));
};

const receiversOf = async (
  tx: StateTransaction,
  project: Selectable<ProjectTable>,
  channels: ServerChannels,
): Promise<Receiver[]> => {
  const chat: Receiver = {
    channel: 'telegram',
    queue: `chat:${project.id}`,
    name: '',
    user_id: null,
    receiver_id: null,
  };
  return [
    ...(channels.email ? await members(tx, project.id) : []),
    ...(channels.telegram && project.alert_chat.trim() !== '' ? [chat] : []),
    ...(await places(tx, project.id)),
  ];
};

/** Messages in one statement: databases take only so many values at once. */
const PAGE = 500;

const factsOf = async (
  tx: StateTransaction,
  task: TaskRow,
  project: Selectable<ProjectTable>,
  end: string,
): Promise<AlertFacts> => {
  const user =
    task.user_id === null
      ? undefined
      : await tx.selectFrom('users').select('name').where('id', '=', task.user_id).executeTakeFirst();
  return {
    project: { id: project.id, name: project.name },
    template: { id: task.template_id, name: task.tpl_alias, type: task.tpl_type },
    task: {
      id: task.id,
      status: task.status,
      end_reason: storedEndReason(task.end_reason, task.end_params),
      playbook: task.tpl_playbook,
      version: task.version,
      build_task_id: task.build_task_id,
      message: task.message,
      commit_hash: task.commit_hash,
      commit_message: task.commit_message,
      dry_run: task.dry_run === 1,
      created: task.created,
      start: task.start_time,
      end,
    },
    user: user?.name ?? task.deleted_user,
    schedule: task.schedule_name,
  };
};

/**
 * Writes down who is to be told that a task has ended, in the transaction that ends it: one message for each member who
 * wants alerts, for the chat and for each receiver of the project. Nothing is sent here.
 */
export const writeAlerts = async (tx: StateTransaction, task: TaskRow, channels: ServerChannels): Promise<void> => {
  if (!isFinal(task.status) || task.end_time === null) return;
  const project = await tx
    .selectFrom('project')
    .selectAll()
    .where('id', '=', task.project_id)
    .where('alert', '=', 1)
    .executeTakeFirst();
  if (!project) return;
  if (task.status === 'success') {
    const template = await tx
      .selectFrom('template')
      .select('suppress_success_alerts')
      .where('id', '=', task.template_id)
      .executeTakeFirst();
    if (template?.suppress_success_alerts === 1) return;
  }
  const receivers = await receiversOf(tx, project, channels);
  if (receivers.length === 0) return;
  const end = task.end_time;
  const { id } = await tx
    .insertInto('alert')
    .values({
      project_id: project.id,
      task_id: task.id,
      created: end,
      facts: JSON.stringify(await factsOf(tx, task, project, end)),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  for (let from = 0; from < receivers.length; from += PAGE) {
    await tx
      .insertInto('alert_delivery')
      .values(
        receivers.slice(from, from + PAGE).map((receiver) => ({
          ...receiver,
          alert_id: id,
          project_id: project.id,
          message_id: randomUUID(),
          created: end,
          state: 'waiting' as const,
          next_attempt: end,
        })),
      )
      .execute();
  }
};
