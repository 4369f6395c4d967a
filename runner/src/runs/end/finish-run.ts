import { hostKeyLines } from '../../apps/ansible/host-key-hints.ts';
import { closeConnection } from '../../apps/ansible/ssh-connection.ts';
import { retryOnResourceError } from '../../errors/resource-error.ts';
import type { Masker } from '../../output/masker.ts';
import type { HostKeys } from '../../ssh/host-keys.ts';
import { closeLog, missingEnd } from '../../workspace/run-log.ts';
import type { ExitNote, RunFolder } from '../folder/run-folder.ts';
import { keepOrphanedLog } from '../log/orphaned-log.ts';
import type { RunProcesses } from '../processes/run-processes.ts';
import type { RunNotes } from '../reports/run-notes.ts';
import { lastLines } from './run-end.ts';

/** How a run is brought to its end, step by step. What fails of it is noted and keeps nobody waiting. */
export class RunFinisher {
  readonly #folder: RunFolder;
  readonly #projectId: number;
  readonly #hostKeys: HostKeys;
  readonly #notes: RunNotes;

  constructor(folder: RunFolder, projectId: number, hostKeys: HostKeys, notes: RunNotes) {
    this.#folder = folder;
    this.#projectId = projectId;
    this.#hostKeys = hostKeys;
    this.#notes = notes;
  }

  /** Writes how it ended where the next process of the runner finds it. */
  async noteExit(exit: ExitNote): Promise<ExitNote> {
    const folder = this.#folder;
    try {
      // Where the disk is full, what only a playbook needs makes room.
      await folder.noteExit(exit).catch(() => folder.clearWorkspace().then(() => folder.noteExit(exit)));
    } catch (fault) {
      // It is known here all the same; after a restart the run would be found without a word and be called lost.
      this.#notes.write(`How task ${folder.task_id} ended cannot be written: ${String(fault)}`);
    }
    return exit;
  }

  /** Ends what the run kept open to its hosts. */
  closeConnection = (): Promise<void> =>
    closeConnection(this.#folder.workspace, this.#hostKeys, this.#projectId).catch((fault) =>
      this.#notes.write(`What task ${this.#folder.task_id} kept open cannot be closed: ${String(fault)}`),
    );

  removeSecrets = (): Promise<void> =>
    retryOnResourceError(() => this.#folder.removeSecrets()).catch((fault) =>
      this.#notes.failed('Secrets', 'removed', fault),
    );

  /** Takes away what only a living playbook needs: afterwards none of its keepers and no secret of it is left. */
  async cleanUp(processes: RunProcesses): Promise<void> {
    // The keeper may still write to a slow disk what nobody needs a secret for.
    await this.closeConnection();
    await this.removeSecrets();
    await processes.supervisorEnded();
    await this.#folder.workspace.reclaim().catch((fault) => this.#notes.failed('Files', 'taken back', fault));
  }

  /** Gives the log its last lines. Answers its bytes, and what there was no room for. */
  async closeLog(exit: ExitNote): Promise<{ size: number; unwritten: string }> {
    const { output } = this.#folder;
    const hints = await hostKeyLines(output, exit, this.#hostKeys.fileOf(this.#projectId)).catch(() => []);
    const last = lastLines(exit, hints);
    try {
      return { size: closeLog(this.#folder, exit.bytes, last), unwritten: '' };
    } catch (fault) {
      this.#notes.failed('The last line', 'written', fault);
      return { size: exit.bytes, unwritten: missingEnd(this.#folder, exit.bytes, last) };
    }
  }

  /** Keeps the log of a run that came too late for a while, and says where. */
  keepOrphanedLog = (masker: Masker, logs: string): Promise<void> =>
    keepOrphanedLog(this.#folder, masker, logs).then(
      (path) =>
        this.#notes.write(
          `Task ${this.#folder.task_id} had ended without this runner: its late log is kept for a day in ${path}`,
        ),
      (fault) => this.#notes.failed('The late log', 'kept', fault),
    );
}
