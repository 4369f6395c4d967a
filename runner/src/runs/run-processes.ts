import { type KeeperCommand, startKeeper, type WaitingKeeper } from '../process/keeper.ts';
import { isAlive, killMarked, signalProcess, waitUntilGone } from '../process/process-table.ts';
import { endProcessesOf } from '../process/processes-of-folder.ts';
import type { RunFolder } from './run-folder.ts';

/** How long a keeper, or its guardian, may take to end its family by force, in milliseconds. */
const FORCE_MS = 2_000;

/** Everything of one run that is executed, whichever process of the runner started it. */
export class RunProcesses {
  readonly #folder: RunFolder;
  readonly #marker: string;
  #waiting: WaitingKeeper | undefined;

  constructor(folder: RunFolder, marker: string) {
    this.#folder = folder;
    this.#marker = marker;
  }

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
    const keeper = this.#folder.keeper();
    const pid = keeper ? (isAlive(keeper) ? keeper.pid : undefined) : this.#waiting?.pid;
    if (pid !== undefined) signalProcess(pid, force ? 'SIGUSR1' : 'SIGTERM');
  }

  /** Whether there is a keeper, started or about to start. */
  isKept(): boolean {
    const keeper = this.#folder.keeper();
    if (keeper) return isAlive(keeper);
    // A process of ours that has ended but is not yet collected still counts as there; `play` then resolves.
    const pid = this.#waiting?.pid;
    return pid !== undefined && signalProcess(pid, 0);
  }

  /** Ends at once what a preparation has started, and what carries the run's marker. */
  async endMarked(): Promise<void> {
    await killMarked(this.#marker);
  }

  /** Ends what an earlier process of the runner was preparing, also a keeper that was about to start. */
  async endPreparation(): Promise<void> {
    await killMarked(this.#marker);
    await endProcessesOf(`${this.#folder.place.secrets}/`);
  }

  /** Waits for the keeper that has written how the run ended, and for its guardian: whoever hears of the end finds neither. */
  async keeperGone(): Promise<void> {
    for (const process of [this.#folder.keeper(), this.#folder.guardian()]) {
      if (process) await waitUntilGone(process, FORCE_MS);
    }
  }

  /** Ends what is left of a run whose keeper is gone. */
  async endUnkept(): Promise<void> {
    // The guardian finds also what has shed the marker, which it carries itself: it goes first.
    await this.keeperGone();
    await killMarked(this.#marker);
  }

  /** Ends everything, at once. */
  async end(): Promise<void> {
    const keeper = this.#folder.keeper();
    if (keeper && isAlive(keeper)) {
      // The keeper finds also what has lost the marker, so it goes first.
      signalProcess(keeper.pid, 'SIGUSR1');
      await waitUntilGone(keeper, FORCE_MS);
    } else if (this.#waiting?.pid !== undefined) signalProcess(this.#waiting.pid, 'SIGKILL');
    await killMarked(this.#marker);
  }
}
