import { LINK_SILENCE_MS } from '@signalbox/contract/link';
import type { Clock } from '../clock.ts';
import type { Database } from '../database/database.ts';
import { WorkerLoop } from '../worker-loop.ts';
import { releaseLease } from './claim.ts';
import { FORCED, unreachableStop } from './end-without-runner.ts';
import { HELD } from './held-tasks.ts';
import type { RunRecorder } from './run-recorder.ts';

export interface LeaseWatchNeeds {
  readonly database: Database;
  readonly clock: Clock;
  readonly recorder: RunRecorder;
  /** A runner silent for so long, in milliseconds, has lost its runs. */
  readonly lostAfterMs: number;
  readonly isConnected: (runnerId: number) => boolean;
  readonly onRoom: () => void;
  readonly onError: (error: unknown) => void;
}

/** Between two looks, in milliseconds. */
export const LOOK_MS = 5_000;
/** A runner that accepted nothing for so long gets its waiting tasks taken away. */
const UNACCEPTED_MS = 15_000;

const spanOf = (ms: number): string => (ms < 120_000 ? `${ms / 1000} seconds` : `${Math.round(ms / 60_000)} minutes`);

const leasedTasks = (database: Database) =>
  database.read
    .selectFrom('task')
    .innerJoin('runner', 'runner.id', 'task.runner_id')
    .select(['task.id', 'task.epoch', 'task.project_id', 'task.status', 'task.stop_forced'])
    .select(['task.end_reason', 'task.end_params'])
    .select(['runner.id as runner', 'runner.name', 'runner.beats', 'runner.unreachable_since'])
    .where('task.status', 'in', HELD)
    .execute();

type Leased = Awaited<ReturnType<typeof leasedTasks>>[number];

/** What is known of a runner that holds leases. */
interface Seen {
  readonly beats: number;
  /** For so long it has said nothing, in milliseconds. */
  readonly quiet: number;
  /** How much of that counts against it: what passed since its link is lost, while this server listened. */
  readonly silence: number;
}

/**
 * Ends what runners left behind. It counts a runner's heartbeats on its own monotonic clock and trusts no time that
 * another machine wrote, so a clock that jumps loses no lease.
 */
export class LeaseWatch {
  readonly #needs: LeaseWatchNeeds;
  readonly #loop: WorkerLoop;
  #seen: ReadonlyMap<number, Seen> = new Map();
  #looked = Number.NEGATIVE_INFINITY;

  constructor(needs: LeaseWatchNeeds) {
    this.#needs = needs;
    this.#loop = new WorkerLoop({
      work: async () => {
        await this.look();
        return undefined;
      },
      everyMs: LOOK_MS,
      firstMs: LOOK_MS,
      onError: needs.onError,
    });
  }

  start(): void {
    this.#loop.start();
  }

  async stop(): Promise<void> {
    await this.#loop.stop();
  }

  async look(): Promise<void> {
    let tasks: readonly Leased[];
    try {
      tasks = await leasedTasks(this.#needs.database);
    } catch (error) {
      // While the database is away no runner could be heard: that is not their silence.
      this.#seen = new Map();
      throw error;
    }
    this.#listen(tasks);
    for (const [runner, of] of Map.groupBy(tasks, (task) => task.runner)) {
      const seen = this.#seen.get(runner) ?? { quiet: 0, silence: 0 };
      await this.#try(() => this.#mark(runner, of[0]?.unreachable_since ?? null, seen));
      for (const task of of) await this.#try(() => this.#judge(task, seen.silence));
    }
  }

  /** One that cannot be written down now is met again at the next look, and holds up no other. */
  async #try(work: () => Promise<void>): Promise<void> {
    await work().catch(this.#needs.onError);
  }

  /**
   * Counts how long each runner with leases has been silent. What passed between two looks counts up to twice their
   * usual distance: who slept that long, or was held, heard nobody. A runner without leases owes no word, so that its
   * silence begins anew with its next lease.
   */
  #listen(tasks: readonly Leased[]): void {
    const now = this.#needs.clock.monotonic();
    const passed = Math.min(now - this.#looked, 2 * LOOK_MS);
    this.#looked = now;
    this.#seen = new Map(
      tasks.map(({ runner, beats }) => {
        const before = this.#seen.get(runner);
        if (before?.beats !== beats) return [runner, { beats, quiet: 0, silence: 0 }];
        const silence = this.#needs.isConnected(runner) ? 0 : before.silence + passed;
        return [runner, { beats, quiet: before.quiet + passed, silence }];
      }),
    );
  }

  async #judge(task: Leased, silence: number): Promise<void> {
    const { id, epoch, project_id, status } = task;
    const { database, recorder, lostAfterMs, onRoom } = this.#needs;
    if (status === 'waiting') {
      if (silence <= UNACCEPTED_MS) return;
      await releaseLease(database, id, epoch);
    } else if (silence > lostAfterMs) {
      const words = `The runner fell silent for ${spanOf(lostAfterMs)}: how the playbook ended is not known. It was not started again.`;
      await recorder.end(project_id, id, 'lost', epoch, words, {
        code: 'runner.silent',
        params: { runner: task.name },
      });
    } else if (task.stop_forced === 1 && silence > LINK_SILENCE_MS) {
      await recorder.end(project_id, id, 'stopped', epoch, FORCED, unreachableStop(task));
    } else return;
    onRoom();
  }

  /** Writes down since when a runner cannot be reached, for those who look at its tasks. */
  async #mark(runnerId: number, known: string | null, { quiet, silence }: Omit<Seen, 'beats'>): Promise<void> {
    const isSilent = silence > LINK_SILENCE_MS;
    if (isSilent === (known !== null) || (!isSilent && silence > 0)) return;
    const since = isSilent ? new Date(this.#needs.clock.now().getTime() - quiet).toISOString() : null;
    await this.#needs.database.autocommit
      .updateTable('runner')
      .set({ unreachable_since: since })
      .where('id', '=', runnerId)
      .execute();
  }
}
