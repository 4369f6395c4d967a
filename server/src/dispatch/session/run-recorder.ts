import { type EndReason, FINAL_STATUSES, type LifecycleEvent, type RunVersions } from '@signalbox/contract';
import type { Selectable } from 'kysely';
import type { Clock } from '../../clock.ts';
import type { Database, State, StateTransaction } from '../../database/database.ts';
import type { TaskTable } from '../../database/task.schema.ts';
import type { Line } from '../../logs/block-codec.ts';
import type { Appended } from '../../logs/log-blocks.ts';
import type { LogStore } from '../../logs/log-store.ts';
import { isWithoutRunner } from '../leases/end-without-runner.ts';

export type TaskRow = Selectable<TaskTable>;

/** What dispatch needs from the tasks feature. The lifecycle of tasks decides. */
export interface TaskEvents {
  // Properties, not methods: TypeScript would accept a function that writes for a method that gets only a reader.
  readonly apply: (
    db: State,
    taskId: number,
    event: LifecycleEvent,
    now: Date,
    epoch?: number,
  ) => Promise<TaskRow | undefined>;
  readonly end: (
    tx: StateTransaction,
    taskId: number,
    event: LifecycleEvent,
    now: Date,
    epoch?: number,
    reason?: EndReason,
  ) => Promise<TaskRow[]>;
}

/** Called when something happens to a run. */
export interface RunListeners {
  /** The status of tasks has changed. */
  changed(tasks: readonly TaskRow[]): void;
  /** Other values of a task have changed, but not its status. */
  detailsChanged(task: TaskRow): void;
  lines(projectId: number, taskId: number, first: number, lines: readonly Line[]): void;
  results(projectId: number, taskId: number, first: number, records: readonly unknown[]): void;
}

export interface RunRecorderDeps {
  readonly database: Database;
  readonly logs: LogStore;
  readonly clock: Clock;
  readonly tasks: TaskEvents;
  readonly listeners: RunListeners;
}

/** Stores what runners report of a run: status, log and end. Returns for each report whether it counted. */
export class RunRecorder {
  readonly #deps: RunRecorderDeps;

  constructor(deps: RunRecorderDeps) {
    this.#deps = deps;
  }

  async apply(taskId: number, event: LifecycleEvent, epoch: number): Promise<boolean> {
    const { database, tasks, clock, listeners } = this.#deps;
    const task = await tasks.apply(database.autocommit, taskId, event, clock.now(), epoch);
    if (task) listeners.changed([task]);
    return task !== undefined;
  }

  /** Applies an event only if a condition holds, in one transaction with it. */
  async applyIf(
    holds: (tx: StateTransaction) => Promise<boolean>,
    taskId: number,
    event: LifecycleEvent,
    epoch: number,
  ): Promise<boolean> {
    const { database, tasks, clock, listeners } = this.#deps;
    const task = await database.write(async (tx) =>
      (await holds(tx)) ? await tasks.apply(tx, taskId, event, clock.now(), epoch) : undefined,
    );
    if (task) listeners.changed([task]);
    return task !== undefined;
  }

  async storeCommit(taskId: number, epoch: number, hash: string, message: string): Promise<void> {
    const { database, listeners } = this.#deps;
    const task = await database.autocommit
      .updateTable('task')
      .set({ commit_hash: hash, commit_message: message })
      .where('id', '=', taskId)
      .where('epoch', '=', epoch)
      .where('status', 'not in', FINAL_STATUSES)
      .returningAll()
      .executeTakeFirst();
    if (task) listeners.detailsChanged(task);
  }

  /** Stores what a run was executed with. A message that is sent again replaces it. */
  async storeVersions(taskId: number, epoch: number, versions: RunVersions): Promise<void> {
    await this.#deps.database.write(async (tx) => {
      const task = tx.selectFrom('task').select('id').where('id', '=', taskId).where('epoch', '=', epoch);
      if (!(await task.executeTakeFirst())) return;
      const row = { versions: JSON.stringify(versions) };
      await tx
        .insertInto('task_version')
        .values({ task_id: taskId, ...row })
        .onConflict((conflict) => conflict.column('task_id').doUpdateSet(row))
        .execute();
    });
  }

  async storeOutput(projectId: number, batch: Parameters<LogStore['appendOutput']>[0]) {
    return this.#notify(projectId, batch.taskId, await this.#deps.logs.appendOutput(batch));
  }

  #notify(projectId: number, taskId: number, { head, fresh }: Appended<Line>) {
    if (fresh.length > 0) this.#deps.listeners.lines(projectId, taskId, head.next_line - fresh.length, fresh);
    return head;
  }

  async storeResults(projectId: number, batch: Parameters<LogStore['appendResults']>[0]) {
    const { head, fresh } = await this.#deps.logs.appendResults(batch);
    if (fresh.length > 0) this.#deps.listeners.results(projectId, batch.taskId, head.next_result - fresh.length, fresh);
    return head;
  }

  /**
   * Closes the log, then ends the task, so a client that sees the end can read the whole log.
   * @returns false when the task has been given to another since, or waits to be: then nothing was done
   * @param lastLines a line that the server appends to the log, because no runner can
   * @param reason why it ended
   */
  async end(
    projectId: number,
    taskId: number,
    event: LifecycleEvent,
    epoch: number,
    lastLines?: string,
    reason?: EndReason,
  ): Promise<boolean> {
    const { database, logs, tasks, clock, listeners } = this.#deps;
    // Closing a log is final, so it must not be the log of a later lease. A run that has started keeps its epoch.
    if (!(await this.#hasBegun(taskId, epoch))) return false;
    // If the server ends between the next two steps, a returning runner must find why its task was ended.
    if (reason && isWithoutRunner(reason.code)) await this.#storeReason(taskId, epoch, reason);
    const lastLine: Line | undefined =
      lastLines === undefined ? undefined : [clock.now().getTime(), lastLines, 'server'];
    const { next_line } = this.#notify(projectId, taskId, await logs.closeLog(taskId, lastLine));
    const ended = await database.write(async (tx) => {
      await tx
        .updateTable('task')
        .set({ log_lines: next_line - 1 })
        .where('id', '=', taskId)
        .where('epoch', '=', epoch)
        .where('status', 'not in', FINAL_STATUSES)
        .execute();
      return await tasks.end(tx, taskId, event, clock.now(), epoch, reason);
    });
    listeners.changed(ended);
    return true;
  }

  async #storeReason(taskId: number, epoch: number, { code, params }: EndReason): Promise<void> {
    await this.#deps.database.autocommit
      .updateTable('task')
      .set({ end_reason: code, end_params: JSON.stringify(params) })
      .where('id', '=', taskId)
      .where('epoch', '=', epoch)
      .where('status', 'not in', FINAL_STATUSES)
      .execute();
  }

  async #hasBegun(taskId: number, epoch: number): Promise<boolean> {
    const task = this.#deps.database.read
      .selectFrom('task')
      .select('id')
      .where('id', '=', taskId)
      .where('epoch', '=', epoch)
      .where('status', '!=', 'waiting');
    return (await task.executeTakeFirst()) !== undefined;
  }
}
