import { type EndReason, type LifecycleEvent, NewTask } from '@signalbox/contract';
import { recordEvent, SYSTEM } from '../../audit/record-event.ts';
import type { StateTransaction } from '../../database/database.ts';
import { ApiError } from '../../http/api-error.ts';
import { launchTask } from './task-launch.ts';
import { applyEvent, type TaskRow } from './task-transition.ts';

const ENDED: Partial<Record<TaskRow['status'], string>> = {
  success: 'succeeded',
  error: 'failed',
  stopped: 'was stopped',
};

/** Every deploy template that waits for this build gets a task. One that cannot start says so in the activity. */
const launchDeploys = async (tx: StateTransaction, build: TaskRow, now: Date): Promise<TaskRow[]> => {
  const templates = await tx
    .selectFrom('template')
    .select(['id', 'name'])
    .where('build_template_id', '=', build.template_id)
    .where('type', '=', 'deploy')
    .where('autorun', '=', 1)
    .orderBy('id')
    .execute();
  const launched: TaskRow[] = [];
  for (const { id, name } of templates) {
    try {
      const request = NewTask.parse({ template_id: id, build_task_id: build.id });
      launched.push(
        await launchTask(tx, { projectId: build.project_id, request, actor: SYSTEM, mayManage: false, now }),
      );
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      await recordEvent(tx, {
        actor: SYSTEM,
        projectId: build.project_id,
        objectType: 'template',
        objectId: id,
        objectName: name,
        description: `${name} could not start after build ${build.version}: ${error.message}`,
        at: now,
      });
    }
  }
  return launched;
};

/**
 * Lets a task end: its status, the event, and the deploys that follow a build, together.
 * @param reason why it ended; not needed for a success, nor for a stop that a user asked for
 * @returns every task that changed or is new, the ended one first; none when it had ended before.
 */
export const endTask = async (
  tx: StateTransaction,
  taskId: number,
  event: LifecycleEvent,
  now: Date,
  epoch?: number,
  reason?: EndReason,
): Promise<TaskRow[]> => {
  const task = await applyEvent(tx, taskId, event, now, epoch, reason);
  if (!task) return [];
  const word = ENDED[task.status];
  if (word) {
    await recordEvent(tx, {
      actor: SYSTEM,
      projectId: task.project_id,
      objectType: 'task',
      objectId: task.id,
      objectName: task.tpl_alias,
      description: `Task #${task.id} of ${task.tpl_alias} ${word}`,
      at: now,
    });
  }
  // What it did to its hosts is written down after this transaction: they may be many. A dry run did nothing to them.
  if (task.dry_run === 0 && task.end_time !== null) {
    await tx
      .insertInto('host_ledger_due')
      .values({ project_id: task.project_id, task_id: task.id, ended: task.end_time })
      .execute();
  }
  const deploys = task.status === 'success' && task.tpl_type === 'build' ? await launchDeploys(tx, task, now) : [];
  return [task, ...deploys];
};
