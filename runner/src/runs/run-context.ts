import type { RunnerMessage } from '@signalbox/contract/link';
import type { RunnerContext } from './preparation/prepare-run.ts';

/** What a run needs of its runner. */
export interface RunContext {
  workshop: RunnerContext;
  send: (message: RunnerMessage) => void;
  note: (sentence: string) => void;
  /** Folder of the logs of runs that came too late. */
  lateLogs: string;
  /** Called when the run's state has changed. */
  onChange: () => void;
}
