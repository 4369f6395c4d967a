import { randomUUID } from 'node:crypto';
import { type GrantRight, isFinal } from '@signalbox/contract';
import type { Selectable } from 'kysely';
import { usersWithoutRight } from '../../access/access-of-members.ts';
import type { StateTransaction } from '../../database/database.ts';
import type { TaskTable } from '../../database/task.schema.ts';
import { storedEndReason } from '../../end-reason.ts';
import type { AlertInput, TaskAlertInput } from './alert-input.ts';
import type { Channels } from './channels/channels.ts';
import { listRecipients } from './recipients.ts';

type TaskRow = Selectable<TaskTable>;

/** Rows per statement, because databases limit the number of values. */
const PAGE = 500;

const inputOf = async (
  tx: StateTransaction,
  task: TaskRow,
  project: AlertInput['project'],
  end: string,
): Promise<TaskAlertInput> => {
  const user =
    task.user_id === null
      ? undefined
      : await tx.selectFrom('users').select('name').where('id', '=', task.user_id).executeTakeFirst();
  return {
    project,
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
    webhook: task.webhook_name,
  };
};

/** What an alert is about. */
interface Cause {
  readonly task_id: number | null;
  readonly schedule_id?: number;
  readonly schedule_reason?: string;
  readonly input: AlertInput;
}

/**
 * Stores an alert about a template of a project: one message for each member who wants alerts and has a right on the
 * template (by default to see it), for the chat and for each receiver. Stores nothing without recipients.
 */
export const storeAlert = async (
  tx: StateTransaction,
  channels: Channels,
  about: { readonly project_id: number; readonly template_id: number; readonly right?: GrantRight },
  created: string,
  causeOf: (project: AlertInput['project']) => Promise<Cause>,
): Promise<void> => {
  const project = await tx
    .selectFrom('project')
    .selectAll()
    .where('id', '=', about.project_id)
    .where('alert', '=', 1)
    .executeTakeFirst();
  if (!project) return;
  const without = await usersWithoutRight(tx, project.id, about.template_id, about.right ?? 'see');
  const recipients = (await listRecipients(tx, project, channels)).filter(({ user_id }) => !without.has(user_id ?? 0));
  if (recipients.length === 0) return;
  const { input, ...cause } = await causeOf({ id: project.id, name: project.name });
  const { id } = await tx
    .insertInto('alert')
    .values({ project_id: project.id, created, input: JSON.stringify(input), ...cause })
    .returning('id')
    .executeTakeFirstOrThrow();
  for (let from = 0; from < recipients.length; from += PAGE) {
    await tx
      .insertInto('alert_delivery')
      .values(
        recipients.slice(from, from + PAGE).map((recipient) => ({
          ...recipient,
          alert_id: id,
          project_id: project.id,
          message_id: randomUUID(),
          created,
          state: 'waiting' as const,
          next_attempt: created,
        })),
      )
      .execute();
  }
};

/** Stores the alerts for the end of a task, in the transaction that ends it. Sends nothing. */
export const writeAlerts = async (tx: StateTransaction, task: TaskRow, channels: Channels): Promise<void> => {
  const { end_time: end } = task;
  if (!isFinal(task.status) || end === null) return;
  if (task.status === 'success') {
    const template = await tx
      .selectFrom('template')
      .select('suppress_success_alerts')
      .where('id', '=', task.template_id)
      .executeTakeFirst();
    if (template?.suppress_success_alerts === 1) return;
  }
  await storeAlert(tx, channels, task, end, async (project) => ({
    task_id: task.id,
    input: await inputOf(tx, task, project, end),
  }));
};
