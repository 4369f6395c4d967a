import { randomUUID } from 'node:crypto';
import { isFinal } from '@signalbox/contract';
import type { Selectable } from 'kysely';
import type { StateTransaction } from '../../database/database.ts';
import type { ProjectTable, TaskTable } from '../../database/schema.ts';
import { storedEndReason } from '../../end-reason.ts';
import type { AlertInput } from './alert-input.ts';
import type { Channels } from './channels/channels.ts';
import { listRecipients } from './recipients.ts';

type TaskRow = Selectable<TaskTable>;

/** Rows per statement, because databases limit the number of values. */
const PAGE = 500;

const inputOf = async (
  tx: StateTransaction,
  task: TaskRow,
  project: Selectable<ProjectTable>,
  end: string,
): Promise<AlertInput> => {
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
    webhook: task.webhook_name,
  };
};

/**
 * Stores the alerts for the end of a task, in the transaction that ends it: one message for each member who wants alerts,
 * for the chat and for each receiver of the project. Sends nothing.
 */
export const writeAlerts = async (tx: StateTransaction, task: TaskRow, channels: Channels): Promise<void> => {
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
  const recipients = await listRecipients(tx, project, channels);
  if (recipients.length === 0) return;
  const end = task.end_time;
  const { id } = await tx
    .insertInto('alert')
    .values({
      project_id: project.id,
      task_id: task.id,
      created: end,
      input: JSON.stringify(await inputOf(tx, task, project, end)),
    })
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
          created: end,
          state: 'waiting' as const,
          next_attempt: end,
        })),
      )
      .execute();
  }
};
