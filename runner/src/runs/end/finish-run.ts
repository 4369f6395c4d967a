import type { JobSpec } from '@signalbox/contract/link';
import type { App } from '../../apps/app.ts';
import { retryOnResourceError } from '../../errors/resource-error.ts';
import type { Masker } from '../../output/masker.ts';
import type { HostKeys } from '../../ssh/host-keys.ts';
import { closeConnection } from '../../workspace/host-connection.ts';
import { closeLog, missingEnd } from '../../workspace/run-log.ts';
import type { ExitNote, RunFolder } from '../folder/run-folder.ts';
import { keepOrphanedLog } from '../log/orphaned-log.ts';
import type { RunProcesses } from '../processes/run-processes.ts';
import type { RunNotes } from '../reports/run-notes.ts';
import { lastLines } from './run-end.ts';

interface FinisherDeps {
  readonly folder: RunFolder;
  readonly job: Pick<JobSpec, 'project_id'>;
  readonly app: App<JobSpec>;
  readonly hostKeys: HostKeys;
  readonly notes: RunNotes;
}

/** The steps that end a run. A step that fails is noted in the log of the runner, and the other steps go on. */
export class RunFinisher {
  readonly #deps: FinisherDeps;

  constructor(deps: FinisherDeps) {
    this.#deps = deps;
  }

  /** Writes how the run ended, for the next process of the runner. */
  async noteExit(exit: ExitNote): Promise<ExitNote> {
    const { folder, notes } = this.#deps;
    try {
      // On a full disk, removing the checkout frees space.
      await folder.noteExit(exit).catch(() => folder.clearWorkspace().then(() => folder.noteExit(exit)));
    } catch (error) {
      // This process knows the end anyway. After a restart the run would count as lost.
      notes.write(`How task ${folder.task_id} ended cannot be written: ${String(error)}`);
    }
    return exit;
  }

  /** Closes the connections of the run to its hosts. */
  closeConnection = (): Promise<void> => {
    const { folder, hostKeys, job, notes } = this.#deps;
    return closeConnection(folder.workspace, hostKeys, job.project_id).catch((error) =>
      notes.write(`Connections of task ${folder.task_id} cannot be closed: ${String(error)}`),
    );
  };

  removeSecrets = (): Promise<void> => {
    const { folder, notes } = this.#deps;
    return retryOnResourceError(() => folder.removeSecrets()).catch((error) =>
      notes.failed('Secrets', 'removed', error),
    );
  };

  /** Removes what only a running program needs: its connections, its secrets and its supervisor. */
  async cleanUp(processes: RunProcesses): Promise<void> {
    const { folder, notes } = this.#deps;
    // The supervisor may still be writing to a slow disk, which needs no secret.
    await this.closeConnection();
    await this.removeSecrets();
    await processes.supervisorEnded();
    await folder.workspace.reclaim().catch((error) => notes.failed('Files', 'reclaimed', error));
  }

  /** Writes the last lines of the log. @returns its size in bytes, and the lines for which the disk had no space */
  async closeLog(exit: ExitNote): Promise<{ size: number; missing: string }> {
    const { folder, app, notes } = this.#deps;
    const last = lastLines(exit, app, await this.#hints(exit));
    try {
      return { size: closeLog(folder, exit.bytes, last), missing: '' };
    } catch (error) {
      notes.failed('The last line', 'written', error);
      return { size: exit.bytes, missing: missingEnd(folder, exit.bytes, last) };
    }
  }

  async #hints(exit: ExitNote): Promise<string[]> {
    const { folder, app, hostKeys, job } = this.#deps;
    if (exit.reason !== 'exited' || !app.hints) return [];
    return await app.hints(exit, folder.output, hostKeys.fileOf(job.project_id)).catch(() => []);
  }

  /** Keeps the log of an orphaned run for a day, and writes its path to the log of the runner. */
  keepOrphanedLog = (masker: Masker, logs: string): Promise<void> => {
    const { folder, notes } = this.#deps;
    return keepOrphanedLog(folder, masker, logs).then(
      (path) =>
        notes.write(
          `Task ${folder.task_id} had ended without this runner: the log of this run is kept for a day in ${path}`,
        ),
      (error) => notes.failed('The log of the orphaned run', 'kept', error),
    );
  };
}
