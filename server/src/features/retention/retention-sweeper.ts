import { FINAL_STATUSES } from '@signalbox/contract';
import type { Clock } from '../../clock.ts';
import { LOCK, type StateTransaction } from '../../database/database.ts';
import { queueLogRemoval } from '../../logs/log-removal.ts';
import { WorkerLoop } from '../../worker-loop.ts';
import { cutoff, expiredTasks, type RetentionSources } from './expired-tasks.ts';
import { removeOldEvents } from './old-events.ts';
import { RetentionEvents } from './retention-events.ts';
import { type Retention, readRetentions } from './retention-settings.ts';

export interface RetentionDeps extends RetentionSources {
  readonly clock: Clock;
  readonly system: Retention;
  /** Days for which events are kept; 0 means forever. */
  readonly keepEventsDays: number;
  /** Deletes ended tasks and queues the removal of their logs. */
  readonly removeTasks: (tx: StateTransaction, ids: readonly number[]) => Promise<readonly unknown[]>;
  /** Deletes the received calls of webhooks at the end of their fixed time. */
  readonly removeOldCalls?: (now: Date) => Promise<void>;
  /** Measures what remains after a sweep. */
  readonly measure?: (signal: AbortSignal) => Promise<void>;
  /** Called after a sweep that queued the removal of logs. */
  readonly logsQueued: () => void;
  readonly onError: (error: unknown) => void;
}

type SweptTemplate = Awaited<ReturnType<typeof readRetentions>>[number];

/** Delay of the first sweep, in milliseconds, so that it does not slow down the start. */
const SOON_MS = 60_000;
const EVERY_MS = 3_600_000;
/** Tasks per transaction. Small, so that other transactions wait only briefly. */
const PAGE = 100;

/** Removes expired tasks and logs: a minute after the start, then hourly, on one server at a time. */
export class RetentionSweeper {
  readonly #deps: RetentionDeps;
  readonly #loop: WorkerLoop;
  #next: Date | undefined;

  constructor(deps: RetentionDeps) {
    this.#deps = deps;
    this.#loop = new WorkerLoop({
      work: async (signal) => {
        this.#next = undefined;
        try {
          await deps.database.alone(() => this.#sweepAll(signal), LOCK.retention);
        } finally {
          this.#next = this.#after(EVERY_MS);
        }
        return undefined;
      },
      everyMs: EVERY_MS,
      firstMs: SOON_MS,
      onError: deps.onError,
    });
  }

  /** When this server sweeps next; undefined during a sweep and before the start. */
  get next(): Date | undefined {
    return this.#next;
  }

  start(): void {
    this.#next = this.#after(SOON_MS);
    this.#loop.start();
  }

  /** Resolves when the current transaction has ended. */
  async stop(): Promise<void> {
    await this.#loop.stop();
  }

  /**
   * Removes everything that is expired. Also resolves after an error, which is reported, and when another server is
   * sweeping.
   */
  async sweep(): Promise<void> {
    this.#loop.wake();
    await this.#loop.idle();
  }

  #after(ms: number): Date {
    return new Date(this.#deps.clock.now().getTime() + ms);
  }

  async #sweepAll(signal: AbortSignal): Promise<void> {
    const { database, clock, system, logsQueued, onError } = this.#deps;
    const now = clock.now();
    const events = new RetentionEvents(now);
    // An error must not keep the tasks below from being swept.
    await this.#deps.removeOldCalls?.(now).catch(onError);
    await removeOldEvents(database, cutoff(this.#deps.keepEventsDays, now), signal).catch(onError);
    try {
      for (const template of await readRetentions(database, system)) {
        await this.#sweepTemplate(template, 'task', cutoff(template.tasksDays, now), events, signal);
        await this.#sweepTemplate(template, 'log', cutoff(template.logsDays, now), events, signal);
      }
    } finally {
      if (!events.isEmpty) logsQueued();
    }
    await this.#deps.measure?.(signal);
  }

  async #sweepTemplate(
    template: SweptTemplate,
    what: 'task' | 'log',
    before: string | undefined,
    events: RetentionEvents,
    signal: AbortSignal,
  ): Promise<void> {
    if (before === undefined) return;
    const { database } = this.#deps;
    const expired = expiredTasks(this.#deps, what, { id: template.id, least: template.leastTasks, before }, PAGE);
    for await (const ids of expired) {
      if (signal.aborted) return;
      const committed = await database.write(async (tx) => {
        const count =
          what === 'task' ? (await this.#deps.removeTasks(tx, ids)).length : await this.#removeLogs(tx, template, ids);
        const more = what === 'task' ? { tasks: count, logs: 0 } : { tasks: 0, logs: count };
        return count === 0 ? undefined : await events.add(tx, template.projectId, more);
      });
      committed?.();
      await database.capabilities.tidy(database.autocommit as never);
    }
  }

  async #removeLogs(tx: StateTransaction, template: SweptTemplate, ids: readonly number[]): Promise<number> {
    const rows = await tx
      .updateTable('task')
      .set({
        log_removed: 1,
        log_removed_at: this.#deps.clock.now().toISOString(),
        log_removed_days: template.logsDays,
        log_removed_by: template.logsSetBy,
      })
      .where('id', 'in', ids)
      .where('log_removed', '=', 0)
      .where('kept', '=', 0)
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
