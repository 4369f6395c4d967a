import type { EndReason } from '@signalbox/contract';
import type { CommonJob } from '@signalbox/contract/link';
import type { App, EndedRun } from '../../apps/app.ts';
import { containerEnd } from '../../environments/container/container-end.ts';
import type { ExitRecord } from '../folder/run-folder.ts';

/**
 * Why a run failed, as a code with parameters that may still contain secrets.
 * @returns undefined for a run that succeeded or was stopped: the server knows who stopped it
 */
export const endReasonOf = <Job extends CommonJob>(
  exit: ExitRecord,
  run: EndedRun<Job>,
  app: Pick<App<Job>, 'program' | 'exitReason'>,
): EndReason | undefined => {
  switch (exit.reason) {
    case 'stopped':
      return undefined;
    case 'lost':
      return { code: 'supervisor.lost', params: {} };
    case 'disk':
      return { code: 'disk.full', params: {} };
    case 'time_limit':
      return { code: 'time_limit', params: { seconds: Math.round(run.job.max_duration) } };
    case 'not_started':
      return { code: 'program.not_started', params: { program: app.program, detail: exit.message ?? '' } };
    case 'repository':
    case 'preparation':
      return exit.end_reason ?? { code: 'preparation.failed', params: { detail: exit.message ?? '' } };
    case 'exited':
      if (exit.code === 0) return undefined;
      return containerEnd({ ...exit, ...run, environment: run.job.execution_environment }) ?? app.exitReason(exit, run);
  }
};
