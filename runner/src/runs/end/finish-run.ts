import type { JobSpec } from '@signalbox/contract/link';
import type { App } from '../../apps/app.ts';
import { notStartedLine } from '../../environments/container/container-end.ts';
import { retryOnResourceError } from '../../errors/resource-error.ts';
import type { Masker } from '../../output/masker.ts';
import type { HostKeys } from '../../ssh/host-keys.ts';
import { closeConnection } from '../../workspace/host-connection.ts';
import { closeLog, missingEnd } from '../../workspace/run-log.ts';
import type { ExitRecord, RunFolder } from '../folder/run-folder.ts';
import { keepOrphanedLog } from '../log/orphaned-log.ts';
import type { RunProcesses } from '../processes/run-processes.ts';
import type { RunLogger } from '../reports/run-logger.ts';
import { lastLines } from './run-end.ts';

interface FinisherDeps {
  readonly folder: RunFolder;
  readonly job: Pick<JobSpec, 'project_id' | 'execution_environment'>;
  readonly app: App<JobSpec>;
  readonly hostKeys: HostKeys;
  readonly logger: RunLogger;
}

/** The steps that end a run. A step that fails is noted in the log of the runner, and the other steps go on. */
export class RunFinisher {
  readonly #deps: FinisherDeps;

  constructor(deps: FinisherDeps) {
    this.#deps = deps;
  }

  /** Writes how the run ended, for the next process of the runner. */
  async writeExit(exit: ExitRecord): Promise<ExitRecord> {
    const { folder, logger } = this.#deps;
    try {
      // On a full disk, removing the checkout frees space.
      await folder.writeExit(exit).catch(() => folder.clearWorkspace().then(() => folder.writeExit(exit)));
    } catch (error) {
      // This process knows the end anyway. After a restart the run would count as lost.
      logger.write(`How task ${folder.task_id} ended cannot be written: ${String(error)}`);
    }
    return exit;
  }

  /** Closes the connections of the run to its hosts. */
  closeConnection = (): Promise<void> => {
    const { folder, hostKeys, job, logger } = this.#deps;
    return closeConnection(folder.workspace, hostKeys, job.project_id).catch((error) =>
      logger.write(`Connections of task ${folder.task_id} cannot be closed: ${String(error)}`),
    );
  };

  removeSecrets = (): Promise<void> => {
    const { folder, logger } = this.#deps;
    return retryOnResourceError(() => folder.removeSecrets()).catch((error) =>
      logger.failed('Secrets', 'removed', error),
    );
  };

  /** Removes what only a running program needs: its connections, its secrets and its supervisor. */
  async cleanUp(processes: RunProcesses): Promise<void> {
    const { folder, logger } = this.#deps;
    // The supervisor may still be writing to a slow disk, which needs no secret.
    await this.closeConnection();
    await this.removeSecrets();
    await processes.supervisorEnded();
    await processes.removeContainers();
    await folder.workspace.reclaim().catch((error) => logger.failed('Files', 'reclaimed', error));
  }

  /** Writes the last lines of the log. @returns its size in bytes, and the lines for which the disk had no space */
  async closeLog(exit: ExitRecord): Promise<{ size: number; missing: string }> {
    const { folder, app, job, logger } = this.#deps;
    const environment = job.execution_environment;
    const exitLine: typeof app.exitLine = (end) => notStartedLine(environment, end.code) ?? app.exitLine(end);
    const { program, runTitle } = app;
    const last = lastLines(exit, { program, runTitle, exitLine }, await this.#hints(exit));
    try {
      return { size: closeLog(folder, exit.bytes, last), missing: '' };
    } catch (error) {
      logger.failed('The last line', 'written', error);
      return { size: exit.bytes, missing: missingEnd(folder, exit.bytes, last) };
    }
  }

  async #hints(exit: ExitRecord): Promise<string[]> {
    const { folder, app, hostKeys, job } = this.#deps;
    if (exit.reason !== 'exited' || !app.hints) return [];
    return await app.hints(exit, folder.output, hostKeys.fileOf(job.project_id)).catch(() => []);
  }

  /** Keeps the log of an orphaned run for a day, and writes its path to the log of the runner. */
  keepOrphanedLog = (masker: Masker, logs: string): Promise<void> => {
    const { folder, logger } = this.#deps;
    return keepOrphanedLog(folder, masker, logs).then(
      (path) =>
        logger.write(
          `Task ${folder.task_id} had ended without this runner: the log of this run is kept for a day in ${path}`,
        ),
      (error) => logger.failed('The log of the orphaned run', 'kept', error),
    );
  };
}
