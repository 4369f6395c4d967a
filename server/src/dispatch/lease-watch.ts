import type { Clock } from '../clock.ts';
import type { Database } from '../database/database.ts';
import { releaseLease } from './claim.ts';
import type { RunRecorder } from './run-recorder.ts';

export interface LeaseWatchNeeds {
  readonly database: Database;
  readonly clock: Clock;
  readonly recorder: RunRecorder;
  readonly isConnected: (runnerId: number) => boolean;
  readonly onRoom: () => void;
  readonly onError: (error: unknown) => void;
}

const LOOK_MS = 5_000;
/** A runner that accepted nothing for so long gets its waiting tasks taken away. */
const UNACCEPTED_MS = 15_000;
/** A runner silent for so long has lost its runs. */
export const LOST_AFTER_MS = 10 * 60_000;
const LOST = 'The runner fell silent for 10 minutes: how the playbook ended is not known. It was not started again.';

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
    const { database, recorder, onRoom } = this.#needs;
    const leased = await database.read
      .selectFrom('task')
      .innerJoin('runner', 'runner.id', 'task.runner_id')
      .select(['task.id', 'task.epoch', 'task.project_id', 'task.status', 'task.runner_id', 'runner.beats'])
      .where('task.status', 'in', ['waiting', 'starting', 'running', 'stopping'])
      .execute();
    for (const task of leased) {
      const silence = this.#silence(task.runner_id ?? 0, task.beats);
      if (task.status === 'waiting' && silence > UNACCEPTED_MS) await releaseLease(database, task.id, task.epoch);
      else if (task.status !== 'waiting' && silence > LOST_AFTER_MS) {
        await recorder.end(task.project_id, task.id, 'lost', task.epoch, LOST);
      } else continue;
      onRoom();
    }
  }
}
