import { appOf, type EndReason, type EventKind, type LifecycleEvent, NewTask } from '@signalbox/contract';
import { reasonOf } from '../../audit/reason.ts';
import { recordEvent, SYSTEM } from '../../audit/record-event.ts';
import type { StateTransaction } from '../../database/database.ts';
import type { EnvironmentRules } from '../../execution-environments.ts';
import { mayFix } from '../../failures/may-fix.ts';
import { ApiError } from '../../http/errors/api-error.ts';
import { enqueue } from '../../outbox/outbox.store.ts';
import { launchTask } from './launch/task-launch.ts';
import { applyEvent, type TaskRow } from './task-transition.ts';

const ENDED = {
  success: 'task.succeeded',
  error: 'task.failed',
  stopped: 'task.stopped',
} as const satisfies Partial<Record<TaskRow['status'], EventKind>>;

const isEnd = (status: TaskRow['status']): status is keyof typeof ENDED => Object.hasOwn(ENDED, status);

/** Starts a task for every deploy template that waits for this build. If one cannot start, an event contains the reason. */
const launchDeploys = async (
  tx: StateTransaction,
  build: TaskRow,
  now: Date,
  environments: EnvironmentRules,
): Promise<TaskRow[]> => {
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
        await launchTask(tx, {
          ...{ projectId: build.project_id, request, actor: SYSTEM, mayOverride: false, now },
          causedBy: build.user_id,
          environments,
        }),
      );
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      await recordEvent(tx, {
        actor: SYSTEM,
        projectId: build.project_id,
        objectType: 'template',
        objectId: id,
        objectName: name,
        kind: 'deploy.not_started',
        params: { template: name, version: build.version ?? '', reason: reasonOf(error) },
        at: now,
      });
    }
  }
  return launched;
};

/** The task, what happened to it and when, the number of its lease, and the reason. */
type EndedTask = [taskId: number, event: LifecycleEvent, now: Date, epoch?: number, reason?: EndReason];

/** Ends tasks, with the rules of this server. */
export type EndTask = (tx: StateTransaction, ...ended: EndedTask) => Promise<TaskRow[]>;

/**
 * Ends a task: stores its status and event, and starts the deploys of a build.
 * @param environments which execution environments are allowed for its deploys
 * @param reason why it ended; not needed for a success, nor for a stop that a user requested
 * @returns every task that changed or is new, the ended one first; none when it had ended before
 */
export const endTask = async (
  tx: StateTransaction,
  environments: EnvironmentRules,
  ...[taskId, event, now, epoch, reason]: EndedTask
): Promise<TaskRow[]> => {
  const task = await applyEvent(tx, taskId, event, now, epoch, reason);
  if (!task) return [];
  if (isEnd(task.status)) {
    await recordEvent(tx, {
      actor: SYSTEM,
      projectId: task.project_id,
      objectType: 'task',
      objectId: task.id,
      objectName: task.tpl_alias,
      kind: ENDED[task.status],
      params: { id: task.id, template: task.tpl_alias },
      at: now,
    });
  }
  // The host history is written after this transaction, because a run may have many hosts. A dry run changes no host.
  if (appOf(task.app).features.hostResults && task.dry_run === 0 && task.end_time !== null) {
    await enqueue(tx, 'host_history', [{ project_id: task.project_id, task_id: task.id, created: task.end_time }]);
  }
  const hasFailures = task.status !== 'success' || (task.dry_run === 0 && (await mayFix(tx, task)));
  if (appOf(task.app).features.hostResults && hasFailures && task.end_time !== null) {
    await enqueue(tx, 'failures', [{ project_id: task.project_id, task_id: task.id, created: task.end_time }]);
  }
  if (appOf(task.app).features.hostResults && task.start_time !== null && task.end_time !== null) {
    await enqueue(tx, 'run_times', [{ project_id: task.project_id, task_id: task.id, created: task.end_time }]);
  }
  const deploys =
    task.status === 'success' && task.tpl_type === 'build' ? await launchDeploys(tx, task, now, environments) : [];
  return [task, ...deploys];
};
