import { type KeeperCommand, startKeeper, type WaitingKeeper } from '../process/keeper.ts';
import { onceSeen } from '../process/own-fault.ts';
import {
  endProcessesOf,
  isAlive,
  killMarked,
  type ProcessIdentity,
  signalProcess,
  waitUntilGone,
} from '../process/process-table.ts';
import type { RunFolder } from './run-folder.ts';

/** How long a keeper may take to end its family by force, in milliseconds. */
const FORCE_MS = 2_000;
/** The same for one that has written how the run ended, and for its guardian, on a slow disk. */
const LAST_WORDS_MS = 5_000;

/** Everything of one run that is executed, whichever process of the runner started it. */
export class RunProcesses {
  readonly #folder: RunFolder;
  readonly #marker: string;
  #waiting: WaitingKeeper | undefined;
  #keeper: ProcessIdentity | undefined;

  constructor(folder: RunFolder, marker: string) {
    this.#folder = folder;
    this.#marker = marker;
  }

  /**
   * The keeper that started the playbook; undefined while none has. It stays the same, and once known it can be stopped
   * also where no file can be opened.
   */
  readonly keeper = (): ProcessIdentity | undefined => {
    this.#keeper ??= this.#folder.keeper();
    return this.#keeper;
  };

  /** Starts a keeper, which waits for its command. `path` is where it finds its interpreter. */
  start(path: string): void {
    this.#waiting = startKeeper(this.#folder.path, this.#marker, path);
  }

  /** Gives the keeper its command. Resolves once it is gone, with true when it found no room on the disk to start. */
  async play(command: KeeperCommand): Promise<boolean> {
    this.#waiting?.play(command);
    return (await this.#waiting?.gone) ?? false;
  }

  /** Lets a keeper go that has no command yet. */
  dismiss(): void {
    this.#waiting?.dismiss();
  }

  /** Tells the keeper to end its family: in steps, or at once by `force`. */
  stop(force: boolean): void {
    const keeper = this.keeper();
    const pid = keeper ? (isAlive(keeper) ? keeper.pid : undefined) : this.#waiting?.pid;
    if (pid !== undefined) signalProcess(pid, force ? 'SIGUSR1' : 'SIGTERM');
  }

  /** Whether there is a keeper, started or about to start. */
  isKept(): boolean {
    const keeper = this.keeper();
    if (keeper) return isAlive(keeper);
    // A process of ours that has ended but is not yet collected still counts as there; `play` then resolves.
    const pid = this.#waiting?.pid;
    return pid !== undefined && signalProcess(pid, 0);
  }

  /** Ends at once what a preparation has started, and what carries the run's marker. False when some of it goes on. */
  endMarked = (): Promise<boolean> => killMarked(this.#marker);

  /** Ends what an earlier process of the runner was preparing, also a keeper that was about to start. */
  async endPreparation(): Promise<void> {
    await killMarked(this.#marker);
    await endProcessesOf(`${this.#folder.place.secrets}/`);
  }

  /** Waits for the keeper that has written how the run ended, and for its guardian: whoever hears of the end finds neither. */
  async keeperGone(): Promise<void> {
    for (const find of [this.keeper, this.#folder.guardian]) {
      const process = await onceSeen(find);
      if (process) await waitUntilGone(process, LAST_WORDS_MS);
    }
  }

  /** Ends what is left of a run whose keeper is gone. False when some of it goes on. */
  async endUnkept(): Promise<boolean> {
    // The guardian finds also what has shed the marker, which it carries itself: it goes first.
    await this.keeperGone();
    return this.endMarked();
  }

  /** Ends everything, at once. False when some of it goes on. */
  async end(): Promise<boolean> {
    const keeper = await onceSeen(this.keeper);
    if (keeper && isAlive(keeper)) {
      // The keeper finds also what has lost the marker, so it goes first.
      signalProcess(keeper.pid, 'SIGUSR1');
      await waitUntilGone(keeper, FORCE_MS);
    } else if (this.#waiting?.pid !== undefined) signalProcess(this.#waiting.pid, 'SIGKILL');
    return this.endMarked();
  }
}
