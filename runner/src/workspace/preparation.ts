import type { RunVersions } from '@signalbox/contract';
import type { CommonJob } from '@signalbox/contract/link';
import type { PhaseClock } from './phase-clock.ts';
import type { RunLog } from './run-log.ts';
import type { RunnerContext } from './runner-context.ts';

/** The input of every step of a preparation. */
export interface Preparation<Job extends CommonJob = CommonJob> {
  readonly job: Job;
  readonly context: RunnerContext;
  readonly log: RunLog;
  /** Writes into the log how long a phase took. */
  readonly done: PhaseClock;
  /** The value of `RUN_MARKER` for every process of the run. */
  readonly marker: string;
  readonly signal: AbortSignal;
  /** A folder outside the workspace for what no program of the run may see. It is removed with the secrets of the run. */
  readonly privateFolder: string;
  /** A folder outside the workspace with the files of containers. It is removed with the secrets of the run. */
  readonly containerFolder: string;
  /** Records versions that the run is executed with, in addition to those that were recorded before. */
  readonly recordVersions: (versions: Partial<RunVersions>) => Promise<void>;
  /** Notes a cached folder that the run reads from until it ends. */
  readonly recordUse: (path: string) => Promise<void>;
}
