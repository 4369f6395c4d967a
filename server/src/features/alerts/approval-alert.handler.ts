import type { Database, StateTransaction } from '../../database/database.ts';
import type { OutboxEntry } from '../../outbox/outbox.store.ts';
import type { OutboxHandler } from '../../outbox/outbox.ts';
import { storeAlert } from './alert.store.ts';
import type { Channels } from './channels/channels.ts';

export interface ApprovalAlertDeps {
  readonly database: Database;
  readonly channels: Channels;
  /** Called when messages were stored that can be sent. */
  readonly onStored: () => void;
}

const writeAlert = async (tx: StateTransaction, taskId: number, channels: Channels): Promise<void> => {
  const task = await tx
    .selectFrom('task')
    .leftJoin('users', 'users.id', 'task.user_id')
    .leftJoin('inventory', 'inventory.id', 'task.inventory_id')
    .selectAll('task')
    .select(['users.name as user_name', 'inventory.name as inventory_name'])
    .where('task.id', '=', taskId)
    .where('task.status', '=', 'waiting')
    .where('task.approval_state', '=', 'pending')
    .executeTakeFirst();
  // A user has decided already, or the task was stopped.
  if (!task) return;
  const about = { project_id: task.project_id, template_id: task.template_id, right: 'approve' } as const;
  await storeAlert(tx, channels, about, task.created, async (project) => ({
    task_id: task.id,
    input: {
      project,
      template: { id: task.template_id, name: task.tpl_alias, type: task.tpl_type },
      pending: {
        id: task.id,
        playbook: task.tpl_playbook,
        version: task.version,
        build_task_id: task.build_task_id,
        message: task.message,
        created: task.created,
        inventory: task.inventory_name ?? '',
        limit: task.limit_hosts,
        branch: task.git_branch ?? '',
        arguments: JSON.parse(task.arguments) as string[],
        answers: JSON.parse(task.environment) as Record<string, unknown>,
      },
      user: task.user_name ?? task.deleted_user,
      schedule: task.schedule_name,
      webhook: task.webhook_name,
    },
  }));
};

/** Stores the alerts about tasks that wait for an approval, for the members who may give it. */
export const approvalAlertHandler = ({ database, channels, onStored }: ApprovalAlertDeps): OutboxHandler => {
  const handle = ({ id, task_id: taskId }: OutboxEntry): Promise<void> =>
    database.write(async (tx) => {
      // The deletion decides which server stores the alert.
      const own = await tx.deleteFrom('outbox').where('id', '=', id).returning('id').executeTakeFirst();
      if (own) await writeAlert(tx, taskId, channels);
    });
  return {
    batch: 50,
    handle: async (entries) => {
      for (const entry of entries) await handle(entry);
      onStored();
    },
  };
};
