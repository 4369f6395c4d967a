import { LINK_SILENCE_MS } from '@signalbox/contract/link';
import type { Clock } from '../clock.ts';
import type { Database } from '../database/database.ts';
import { releaseLease } from './claim.ts';
import { FELL_SILENT } from './late-run.ts';
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

const LOOK_MS = 5_000;
/** A runner that accepted nothing for so long gets its waiting tasks taken away. */
const UNACCEPTED_MS = 15_000;

const spanOf = (ms: number): string => (ms < 120_000 ? `${ms / 1000} seconds` : `${Math.round(ms / 60_000)} minutes`);

/**
 * Ends what runners left behind. It counts a runner's heartbeats on its own monotonic clock and trusts no time that
 * another machine wrote, so a clock that jumps loses no lease.
 */
export class LeaseWatch {
  readonly #needs: LeaseWatchNeeds;
  readonly #seen = new Map<number, { beats: number; since: number }>();
  #timer: NodeJS.Timeout | undefined;

  constructor(needs: LeaseWatchNeeds) {
    this.#needs = needs;
  }

  start(): void {
    this.#timer = setInterval(() => void this.look().catch(this.#needs.onError), LOOK_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** How long a runner has said nothing, in milliseconds, as far as this server has watched. */
  #silence(runnerId: number, beats: number): number {
    const now = this.#needs.clock.monotonic();
    const seen = this.#seen.get(runnerId);
    if (seen?.beats === beats && !this.#needs.isConnected(runnerId)) return now - seen.since;
    this.#seen.set(runnerId, { beats, since: now });
    return 0;
  }

  async look(): Promise<void> {
    try {
      await this.#look();
    } catch (error) {
      // While the database is away no runner could be heard: that is not their silence.
      this.#seen.clear();
      throw error;
    }
  }

  async #look(): Promise<void> {
    const { database, recorder, lostAfterMs, onRoom } = this.#needs;
    const leased = await database.read
      .selectFrom('task')
      .innerJoin('runner', 'runner.id', 'task.runner_id')
      .select(['task.id', 'task.epoch', 'task.project_id', 'task.status', 'task.runner_id', 'runner.beats'])
      .select('runner.unreachable_since')
      .where('task.status', 'in', ['waiting', 'starting', 'running', 'stopping'])
      .execute();
    const marked = new Set<number>();
    for (const task of leased) {
      const runner = task.runner_id ?? 0;
      const silence = this.#silence(runner, task.beats);
      if (!marked.has(runner)) await this.#mark(runner, task.unreachable_since, silence);
      marked.add(runner);
      if (task.status === 'waiting' && silence > UNACCEPTED_MS) await releaseLease(database, task.id, task.epoch);
      else if (task.status !== 'waiting' && silence > lostAfterMs) {
        const words = `${FELL_SILENT}${spanOf(lostAfterMs)}: how the playbook ended is not known. It was not started again.`;
        await recorder.end(task.project_id, task.id, 'lost', task.epoch, words);
      } else continue;
      onRoom();
    }
  }

  /** Writes down since when a runner cannot be reached, for those who look at its tasks. */
  async #mark(runnerId: number, known: string | null, silence: number): Promise<void> {
    const isSilent = silence > LINK_SILENCE_MS;
    if (isSilent === (known !== null) || (!isSilent && silence > 0)) return;
    const since = isSilent ? new Date(this.#needs.clock.now().getTime() - silence).toISOString() : null;
    await this.#needs.database.read
      .updateTable('runner')
      .set({ unreachable_since: since })
      .where('id', '=', runnerId)
      .execute();
  }
}
