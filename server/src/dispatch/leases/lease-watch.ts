import { NOT_FINAL_STATUSES } from '@signalbox/contract';
import { LINK_SILENCE_MS } from '@signalbox/contract/link';
import type { Clock } from '../../clock.ts';
import type { Database } from '../../database/database.ts';
import { WorkerLoop } from '../../worker-loop.ts';
import { releaseLease } from '../claim/claim.ts';
import type { RunRecorder } from '../session/run-recorder.ts';
import { FORCED, unreachableStop } from './end-without-runner.ts';

export interface LeaseWatchDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly recorder: RunRecorder;
  /** Milliseconds of silence after which the runs of a runner count as lost. */
  readonly lostAfterMs: number;
  readonly isConnected: (runnerId: number) => boolean;
  readonly onCapacity: () => void;
  readonly onError: (error: unknown) => void;
}

/** Time between two checks, in milliseconds. */
export const POLL_MS = 5_000;
/** A runner that accepts nothing for this many milliseconds loses its waiting tasks. */
const UNACCEPTED_MS = 15_000;

const spanOf = (ms: number): string => (ms < 120_000 ? `${ms / 1000} seconds` : `${Math.round(ms / 60_000)} minutes`);

const leasedTasks = (database: Database) =>
  database.read
    .selectFrom('task')
    .innerJoin('runner', 'runner.id', 'task.runner_id')
    .select(['task.id', 'task.epoch', 'task.project_id', 'task.status', 'task.stop_forced'])
    .select(['task.end_reason', 'task.end_params'])
    .select(['runner.id as runner', 'runner.name', 'runner.heartbeats', 'runner.unreachable_since'])
    .where('task.status', 'in', NOT_FINAL_STATUSES)
    .execute();

type Leased = Awaited<ReturnType<typeof leasedTasks>>[number];

/** State of a runner that holds leases. */
interface Seen {
  readonly heartbeats: number;
  /** Milliseconds since the last heartbeat. */
  readonly quiet: number;
  /**
   * Milliseconds of silence that count against the runner: since its link was lost, while this server was able to
   * receive.
   */
  readonly silence: number;
}

/**
 * Ends tasks of lost runners. Counts the heartbeats of each runner on its own monotonic clock and uses no
 * timestamps of other machines, so a clock that jumps loses no lease.
 */
export class LeaseWatch {
  readonly #deps: LeaseWatchDeps;
  readonly #loop: WorkerLoop;
  #seen: ReadonlyMap<number, Seen> = new Map();
  #checked = Number.NEGATIVE_INFINITY;

  constructor(deps: LeaseWatchDeps) {
    this.#deps = deps;
    this.#loop = new WorkerLoop({
      work: async () => {
        await this.check();
        return undefined;
      },
      everyMs: POLL_MS,
      firstMs: POLL_MS,
      onError: deps.onError,
    });
  }

  start(): void {
    this.#loop.start();
  }

  async stop(): Promise<void> {
    await this.#loop.stop();
  }

  async check(): Promise<void> {
    let tasks: readonly Leased[];
    try {
      tasks = await leasedTasks(this.#deps.database);
    } catch (error) {
      // No server can store heartbeats while the database is unavailable, so that time is not silence of the runners.
      this.#seen = new Map();
      throw error;
    }
    this.#listen(tasks);
    for (const [runner, of] of Map.groupBy(tasks, (task) => task.runner)) {
      const seen = this.#seen.get(runner) ?? { quiet: 0, silence: 0 };
      await this.#try(() => this.#record(runner, of[0]?.unreachable_since ?? null, seen));
      for (const task of of) await this.#try(() => this.#judge(task, seen.silence));
    }
  }

  /** An error concerns one task only; the next check tries again. */
  async #try(work: () => Promise<void>): Promise<void> {
    await work().catch(this.#deps.onError);
  }

  /**
   * Counts how long each runner with leases has been silent. The time between two checks counts up to twice its
   * normal length, because a suspended server receives nothing. A runner without leases need not send anything, so
   * its silence starts at zero with its next lease.
   */
  #listen(tasks: readonly Leased[]): void {
    const now = this.#deps.clock.monotonic();
    const passed = Math.min(now - this.#checked, 2 * POLL_MS);
    this.#checked = now;
    this.#seen = new Map(
      tasks.map(({ runner, heartbeats }) => {
        const before = this.#seen.get(runner);
        if (before?.heartbeats !== heartbeats) return [runner, { heartbeats, quiet: 0, silence: 0 }];
        const silence = this.#deps.isConnected(runner) ? 0 : before.silence + passed;
        return [runner, { heartbeats, quiet: before.quiet + passed, silence }];
      }),
    );
  }

  async #judge(task: Leased, silence: number): Promise<void> {
    const { id, epoch, project_id, status } = task;
    const { database, recorder, lostAfterMs, onCapacity } = this.#deps;
    if (status === 'waiting') {
      if (silence <= UNACCEPTED_MS) return;
      await releaseLease(database, id, epoch);
    } else if (silence > lostAfterMs) {
      const texts = `The runner was silent for ${spanOf(lostAfterMs)}, so the result of the playbook is unknown. It was not started again.`;
      await recorder.end(project_id, id, 'lost', epoch, texts, {
        code: 'runner.silent',
        params: { runner: task.name },
      });
    } else if (task.stop_forced === 1 && silence > LINK_SILENCE_MS) {
      await recorder.end(project_id, id, 'stopped', epoch, FORCED, unreachableStop(task));
    } else return;
    onCapacity();
  }

  /** Stores since when a runner is unreachable. Pages of its tasks show it. */
  async #record(runnerId: number, known: string | null, { quiet, silence }: Omit<Seen, 'heartbeats'>): Promise<void> {
    const isSilent = silence > LINK_SILENCE_MS;
    if (isSilent === (known !== null) || (!isSilent && silence > 0)) return;
    const since = isSilent ? new Date(this.#deps.clock.now().getTime() - quiet).toISOString() : null;
    await this.#deps.database.autocommit
      .updateTable('runner')
      .set({ unreachable_since: since })
      .where('id', '=', runnerId)
      .execute();
  }
}
