import { retryOnResourceError } from '../../errors/resource-error.ts';
import {
  isAlive,
  killMarked,
  killProcessesNaming,
  type ProcessIdentity,
  signalProcess,
  waitUntilEnded,
} from '../../process/process-table.ts';
import { type IdleSupervisor, type SupervisorCommand, startSupervisor } from '../../process/supervisor.ts';
import type { RunFolder } from '../folder/run-folder.ts';

/** How long a keeper may take to end its family by force, in milliseconds. */
const FORCE_MS = 2_000;
/** The same for one that has written how the run ended, and for its guardian, on a slow disk. */
const LAST_WORDS_MS = 5_000;

/** Everything of one run that is executed, whichever process of the runner started it. */
export class RunProcesses {
  readonly #folder: RunFolder;
  readonly #marker: string;
  #waiting: IdleSupervisor | undefined;
  #keeper: ProcessIdentity | undefined;

  constructor(folder: RunFolder, marker: string) {
    this.#folder = folder;
    this.#marker = marker;
  }

  /**
   * The keeper that started the playbook; undefined while none has. It stays the same, and once known it can be stopped
   * also where no file can be opened.
   */
  readonly supervisor = (): ProcessIdentity | undefined => {
    this.#keeper ??= this.#folder.supervisor();
    return this.#keeper;
  };

  /** Starts a keeper, which waits for its command. `path` is where it finds its interpreter. */
  start(python: string, path: string): void {
    this.#waiting = startSupervisor(this.#folder.path, this.#marker, python, path);
  }

  /** Gives the keeper its command. Resolves once it is gone, with true when it found no room on the disk to start. */
  async execute(command: SupervisorCommand): Promise<boolean> {
    this.#waiting?.start(command);
    return (await this.#waiting?.ended) ?? false;
  }

  /** Lets a keeper go that has no command yet. */
  release(): void {
    this.#waiting?.release();
  }

  /** Tells the keeper to end its family: in steps, or at once by `force`. */
  stop(force: boolean): void {
    const supervisor = this.supervisor();
    const pid = supervisor ? (isAlive(supervisor) ? supervisor.pid : undefined) : this.#waiting?.pid;
    if (pid !== undefined) signalProcess(pid, force ? 'SIGUSR1' : 'SIGTERM');
  }

  /** Whether there is a keeper, started or about to start. */
  isSupervised(): boolean {
    const supervisor = this.supervisor();
    if (supervisor) return isAlive(supervisor);
    // A process of ours that has ended but is not yet collected still counts as there; `play` then resolves.
    const pid = this.#waiting?.pid;
    return pid !== undefined && signalProcess(pid, 0);
  }

  /** Ends at once what a preparation has started, and what carries the run's marker. False when some of it goes on. */
  endMarked = (): Promise<boolean> => killMarked(this.#marker);

  /** Ends what an earlier process of the runner was preparing, also a keeper that was about to start. */
  async endPreparation(): Promise<void> {
    await killMarked(this.#marker);
    await killProcessesNaming(`${this.#folder.workspace.secrets}/`);
  }

  /** Waits for the keeper that has written how the run ended, and for its guardian: whoever hears of the end finds neither. */
  async supervisorEnded(): Promise<void> {
    for (const find of [this.supervisor, this.#folder.watchdog]) {
      const process = await retryOnResourceError(find);
      if (process) await waitUntilEnded(process, LAST_WORDS_MS);
    }
  }

  /** Ends what is left of a run whose keeper is gone. False when some of it goes on. */
  async endUnsupervised(): Promise<boolean> {
    // The guardian finds also what has shed the marker, which it carries itself: it goes first.
    await this.supervisorEnded();
    return this.endMarked();
  }

  /** Ends everything, at once. False when some of it goes on. */
  async end(): Promise<boolean> {
    const supervisor = await retryOnResourceError(this.supervisor);
    if (supervisor && isAlive(supervisor)) {
      // The keeper finds also what has lost the marker, so it goes first.
      signalProcess(supervisor.pid, 'SIGUSR1');
      await waitUntilEnded(supervisor, FORCE_MS);
    } else if (this.#waiting?.pid !== undefined) signalProcess(this.#waiting.pid, 'SIGKILL');
    return this.endMarked();
  }
}
