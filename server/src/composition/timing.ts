import type { ExpectedEnd } from '../dispatch/claim/lock-reasons.ts';
import type { Channels } from '../features/alerts/channels/channels.ts';
import { writeSilentAlert } from '../features/alerts/silent-alert.store.ts';
import { makeProgressTicker } from '../features/times/progress-ticker.ts';
import { RunProgress } from '../features/times/run-progress.ts';
import { readTimedTask } from '../features/times/timed-tasks.ts';
import type { LiveHub } from '../live/live-hub.ts';
import type { WorkerLoop } from '../worker-loop.ts';
import type { Foundation } from './foundation.ts';

export interface Timing {
  readonly progress: RunProgress;
  readonly expectedEnd: ExpectedEnd;
  /** Sends expected ends to open pages. */
  readonly ticker: WorkerLoop;
}

interface TimingParts {
  readonly live: LiveHub;
  readonly channels: Channels;
  /** Called when an alert was stored. */
  readonly onAlert: () => void;
}

/** Wires what computes when running tasks are expected to end. */
export const composeTiming = (
  { app, clock, storage: { database, logs } }: Foundation,
  { live, channels, onAlert }: TimingParts,
): Timing => {
  const progress = new RunProgress({ database, clock, soFar: (...page) => logs.runSoFar(...page) });
  return {
    progress,
    expectedEnd: async (taskId) => {
      const task = await readTimedTask(database.read, taskId);
      if (!task) return null;
      const { expected_end, longer_than_usual, silent_hosts } = await progress.of(task);
      return longer_than_usual || silent_hosts ? '' : expected_end;
    },
    ticker: makeProgressTicker({
      ...{ database, progress },
      isWatched: () => live.size > 0,
      send: (message) => live.expectationChanged(message),
      alert: async (taskId, silent) => {
        if (await writeSilentAlert(database, channels, taskId, silent, clock.now())) onAlert();
      },
      onError: (error) => app.log.warn({ err: error }, 'the expected ends of tasks could not be computed'),
    }),
  };
};
