import type { HostKeys } from '../access/host-keys.ts';
import type { Masker } from '../output/masker.ts';
import { closeConnection } from '../prepare/connection.ts';
import { onceSeen } from '../process/own-fault.ts';
import { lastLines } from './end-of-run.ts';
import { hostKeyLines } from './host-key-line.ts';
import { keepLateLog } from './late-log.ts';
import type { ExitNote, RunFolder } from './run-folder.ts';
import { sealLog, unwrittenEnd } from './run-log.ts';
import type { RunNotes } from './run-notes.ts';
import type { RunProcesses } from './run-processes.ts';

/** How a run is brought to its end, step by step. What fails of it is noted and keeps nobody waiting. */
export class RunEnding {
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
      await folder.noteExit(exit).catch(() => folder.clearPlace().then(() => folder.noteExit(exit)));
    } catch (fault) {
      // It is known here all the same; after a restart the run would be found without a word and be called lost.
      this.#notes.say(`How task ${folder.task_id} ended cannot be written: ${String(fault)}`);
    }
    return exit;
  }

  /** Ends what the run kept open to its hosts. */
  closeConnection = (): Promise<void> =>
    closeConnection(this.#folder.place, this.#hostKeys, this.#projectId).catch((fault) =>
      this.#notes.say(`What task ${this.#folder.task_id} kept open cannot be closed: ${String(fault)}`),
    );

  removeSecrets = (): Promise<void> =>
    onceSeen(() => this.#folder.removeSecrets()).catch((fault) => this.#notes.undone('Secrets', 'removed', fault));

  /** Takes away what only a living playbook needs: afterwards none of its keepers and no secret of it is left. */
  async putAway(processes: RunProcesses): Promise<void> {
    // The keeper may still write to a slow disk what nobody needs a secret for.
    await this.closeConnection();
    await this.removeSecrets();
    await processes.keeperGone();
    await this.#folder.place.takeBack().catch((fault) => this.#notes.undone('Files', 'taken back', fault));
  }

  /** Gives the log its last lines. Answers its bytes, and what there was no room for. */
  async sealLog(exit: ExitNote): Promise<{ size: number; unwritten: string }> {
    const { output } = this.#folder;
    const hints = await hostKeyLines(output, exit, this.#hostKeys.fileOf(this.#projectId)).catch(() => []);
    const last = lastLines(exit, hints);
    try {
      return { size: sealLog(this.#folder, exit.bytes, last), unwritten: '' };
    } catch (fault) {
      this.#notes.undone('The last line', 'written', fault);
      return { size: exit.bytes, unwritten: unwrittenEnd(this.#folder, exit.bytes, last) };
    }
  }

  /** Keeps the log of a run that came too late for a while, and says where. */
  keepLateLog = (masker: Masker, logs: string): Promise<void> =>
    keepLateLog(this.#folder, masker, logs).then(
      (path) =>
        this.#notes.say(
          `Task ${this.#folder.task_id} had ended without this runner: its late log is kept for a day in ${path}`,
        ),
      (fault) => this.#notes.undone('The late log', 'kept', fault),
    );
}
