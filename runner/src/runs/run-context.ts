import type { RunnerMessage } from '@signalbox/contract/link';
import type { Apps } from '../apps/apps.ts';
import type { Environments } from '../environments/environments.ts';
import type { PollPace } from '../output/poll-pace.ts';
import type { WarmProcess } from '../process/warm-process.ts';
import type { RunnerContext } from '../workspace/runner-context.ts';

/** The dependencies of a run. */
export interface RunContext {
  context: RunnerContext;
  apps: Apps;
  environments: Environments;
  supervisors: Pick<WarmProcess, 'supervisor'>;
  pace: PollPace;
  send: (message: RunnerMessage) => void;
  log: (text: string) => void;
  /** Folder of the logs of orphaned runs. */
  orphanedLogs: string;
  /** Called when the state of the run has changed. */
  onChange: () => void;
}
