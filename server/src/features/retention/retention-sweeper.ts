import { FINAL_STATUSES } from '@signalbox/contract';
import type { Clock } from '../../clock.ts';
import { type Database, LOCK, type StateTransaction } from '../../database/database.ts';
import { queueLogRemoval } from '../../logs/log-removal.ts';
import { WorkerLoop } from '../../worker-loop.ts';
import { cutoff, expiredTasks, type KeepingTemplate, type Retention, retentionOf } from './kept-tasks.ts';
import { RetentionLedger } from './retention-ledger.ts';

export interface RetentionNeeds {
  readonly database: Database;
  readonly clock: Clock;
  readonly system: Retention;
  /** Deletes ended tasks and asks for their logs to be removed. */
  readonly removeTasks: (tx: StateTransaction, ids: readonly number[]) => Promise<readonly unknown[]>;
  /** Called after a sweep that asked for logs to be removed. */
  readonly logsQueued: () => void;
  readonly onError: (error: unknown) => void;
}

/** After the start other things come first. */
const SOON_MS = 60_000;
const EVERY_MS = 3_600_000;
/** Tasks in one transaction: whoever waits for it must not notice. */
const PAGE = 100;

/** Removes tasks and logs that were kept long enough: soon after the start, then hourly, on one server at a time. */
export class RetentionSweeper {
  readonly #needs: RetentionNeeds;
  readonly #loop: WorkerLoop;

  constructor(needs: RetentionNeeds) {
    this.#needs = needs;
    this.#loop = new WorkerLoop({
      work: async (signal) => {
        await needs.database.alone(() => this.#sweepAll(signal), LOCK.retention);
        return undefined;
      },
      everyMs: EVERY_MS,
      firstMs: SOON_MS,
      onError: needs.onError,
    });
  }

  start(): void {
    this.#loop.start();
  }

  /** Resolves when the transaction that runs has ended. */
  async stop(): Promise<void> {
    await this.#loop.stop();
  }

  /** Removes all that is due. Resolves also when it failed, which is told, or when another server is at it. */
  async sweep(): Promise<void> {
    this.#loop.wake();
    await this.#loop.idle();
  }

  async #sweepAll(signal: AbortSignal): Promise<void> {
    const { database, clock, system, logsQueued } = this.#needs;
    const now = clock.now();
    const ledger = new RetentionLedger(now);
    const templates = await database.read
      .selectFrom('template')
      .select(['id', 'project_id', 'keep_tasks_days', 'keep_logs_days', 'keep_tasks_min'])
      .orderBy('id')
      .execute();
    try {
      for (const template of templates) {
        const { tasksDays, logsDays, leastTasks: least } = retentionOf(template, system);
        await this.#sweepTemplate(template, 'task', least, cutoff(tasksDays, now), ledger, signal);
        await this.#sweepTemplate(template, 'log', least, cutoff(logsDays, now), ledger, signal);
      }
    } finally {
      if (!ledger.isEmpty) logsQueued();
    }
  }

  async #sweepTemplate(
    template: KeepingTemplate,
    what: 'task' | 'log',
    least: number,
    before: string | undefined,
    ledger: RetentionLedger,
    signal: AbortSignal,
  ): Promise<void> {
    if (before === undefined) return;
    const { database } = this.#needs;
    for await (const ids of expiredTasks(database, what, { id: template.id, least, before }, PAGE)) {
      if (signal.aborted) return;
      const told = await database.write(async (tx) => {
        const count =
          what === 'task' ? (await this.#needs.removeTasks(tx, ids)).length : await this.#removeLogs(tx, ids);
        const more = what === 'task' ? { tasks: count, logs: 0 } : { tasks: 0, logs: count };
        return count === 0 ? undefined : await ledger.add(tx, template.project_id, more);
      });
      told?.();
      await database.capabilities.tidy(database.autocommit as never);
    }
  }

  async #removeLogs(tx: StateTransaction, ids: readonly number[]): Promise<number> {
    const rows = await tx
      .updateTable('task')
      .set({ log_removed: 1 })
      .where('id', 'in', ids)
      .where('log_removed', '=', 0)
      .where('status', 'in', FINAL_STATUSES)
      .returning('id')
      .execute();
    await queueLogRemoval(
      tx,
      rows.map(({ id }) => id),
    );
    return rows.length;
  }
}
