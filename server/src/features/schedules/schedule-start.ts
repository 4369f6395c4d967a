import { FINAL_STATUSES, type LaunchValues, type Message } from '@signalbox/contract';
import { reasonOf } from '../../audit/reason.ts';
import type { StateTransaction } from '../../database/database.ts';
import { newestBuild } from '../../database/queries/newest-build.ts';
import type { Freeze } from '../../freeze/freeze.ts';
import { FrozenError } from '../../freeze/frozen-error.ts';
import { ApiError, badField } from '../../http/errors/api-error.ts';
import type { MasterKey } from '../../secrets/master-key.ts';
import { labelOf, type ScheduleRow } from './schedule.store.ts';
import { valuesToLaunch } from './schedule-answers.ts';

/** A task that a schedule starts. */
export interface ScheduledLaunch {
  readonly projectId: number;
  readonly templateId: number;
  /** The build to deploy; null for other templates. */
  readonly buildTaskId: number | null;
  /** The text that the console shows as the name of the schedule. */
  readonly scheduleName: string;
  readonly scheduleId: number;
  /** The task of the same schedule that must end first; null for none. */
  readonly afterTaskId: number | null;
  readonly values: LaunchValues;
  readonly now: Date;
}

/** Starts a task. */
export interface Starting<Task> {
  /** Decrypts secret answers. Schedules without any need none. */
  readonly master?: MasterKey;
  readonly launch: (tx: StateTransaction, launch: ScheduledLaunch) => Promise<Task>;
}

/** What was found out before the transaction, because repositories and runners may take long to answer. */
export type StartCheck =
  | { readonly kind: 'start'; readonly commit: string | null }
  | { readonly kind: 'nothing_new' }
  | { readonly kind: 'refused'; readonly reason: Message };

/** What comes of a due time. */
export type DueOutcome<Task> =
  | { readonly kind: 'started'; readonly task: Task; readonly commit: string | null }
  | { readonly kind: 'nothing_new' }
  | { readonly kind: 'skipped'; readonly openTask: number }
  | { readonly kind: 'frozen'; readonly freeze: Freeze }
  | { readonly kind: 'refused'; readonly reason: Message };

/** A deploy uses the newest successful build. */
const buildToDeploy = async (tx: StateTransaction, templateId: number): Promise<number | null> => {
  const build = await newestBuild(tx, templateId);
  if (build === undefined) throw new ApiError('conflict.no_build');
  return build;
};

/** The newest task of a schedule that has not ended. */
const openTask = async (tx: StateTransaction, scheduleId: number): Promise<number | null> => {
  const task = await tx
    .selectFrom('task')
    .select('id')
    .where('schedule_id', '=', scheduleId)
    .where('status', 'not in', FINAL_STATUSES)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return task?.id ?? null;
};

/** Refuses to run tasks side by side when the template no longer allows it. */
const checkParallel = async (tx: StateTransaction, { overlap, template_id }: ScheduleRow): Promise<void> => {
  if (overlap !== 'parallel') return;
  const { allow_parallel_tasks } = await tx
    .selectFrom('template')
    .select('allow_parallel_tasks')
    .where('id', '=', template_id)
    .executeTakeFirstOrThrow();
  if (allow_parallel_tasks === 0) throw badField('overlap', 'field.not_allowed');
};

/** Starts the task of a due time. */
const start = async <Task>(
  tx: StateTransaction,
  { launch, master }: Starting<Task>,
  row: ScheduleRow,
  open: number | null,
  now: Date,
): Promise<Task> => {
  await checkParallel(tx, row);
  return await launch(tx, {
    projectId: row.project_id,
    templateId: row.template_id,
    buildTaskId: await buildToDeploy(tx, row.template_id),
    scheduleName: labelOf(row),
    scheduleId: row.id,
    afterTaskId: row.overlap === 'queue' ? open : null,
    values: await valuesToLaunch(tx, master, row),
    now,
  });
};

/**
 * Starts the task of a due time, unless the check, an open task, a freeze window or the template prevents it.
 * @throws an error that is not about the task
 */
export const startIfPossible = async <Task>(
  tx: StateTransaction,
  starting: Starting<Task>,
  row: ScheduleRow,
  check: StartCheck,
  now: Date,
): Promise<DueOutcome<Task>> => {
  if (check.kind !== 'start') return check;
  const open = row.overlap === null ? null : await openTask(tx, row.id);
  if (row.overlap === 'skip' && open !== null) return { kind: 'skipped', openTask: open };
  try {
    return { kind: 'started', task: await start(tx, starting, row, open, now), commit: check.commit };
  } catch (error) {
    if (error instanceof FrozenError) return { kind: 'frozen', freeze: error.freeze };
    if (error instanceof ApiError) return { kind: 'refused', reason: reasonOf(error) };
    throw error;
  }
};
