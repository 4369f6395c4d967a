import type { Containers } from '../../environments/container/runner-containers.ts';
import { retryOnResourceError } from '../../errors/resource-error.ts';
import type { IdleSupervisor, SupervisorCommand } from '../../process/idle-supervisor.ts';
import {
  isAlive,
  killMarked,
  killProcessesNaming,
  type ProcessIdentity,
  signalProcess,
  waitUntilEnded,
} from '../../process/process-table.ts';
import type { WarmProcess } from '../../process/warm-process.ts';
import type { RunFolder } from '../folder/run-folder.ts';

/** How long a supervisor may take to kill all descendants, in milliseconds. */
const FORCE_MS = 2_000;
/** How long a supervisor and its watchdog may take to end after the exit record, on a slow disk, in milliseconds. */
const EXIT_MS = 5_000;

/** All processes of one run, whichever process of the runner started them. */
export class RunProcesses {
  readonly #folder: RunFolder;
  readonly #marker: string;
  readonly #containers: Pick<Containers, 'removeOf'> | undefined;
  #waiting: IdleSupervisor | undefined;
  #supervisor: ProcessIdentity | undefined;

  /** @param containers undefined if no program of the run is in a container */
  constructor(folder: RunFolder, marker: string, containers: Pick<Containers, 'removeOf'> | undefined) {
    this.#folder = folder;
    this.#marker = marker;
    this.#containers = containers;
  }

  /**
   * The supervisor that started the program; undefined before. It never changes, and is remembered so that it can be
   * stopped even if no file can be opened.
   */
  readonly supervisor = (): ProcessIdentity | undefined => {
    this.#supervisor ??= this.#folder.supervisor();
    return this.#supervisor;
  };

  /** Starts a supervisor, which waits for its command. */
  start(supervisors: Pick<WarmProcess, 'supervisor'>): void {
    this.#waiting = supervisors.supervisor(this.#folder.path, this.#marker);
  }

  /** Sends the supervisor its command. Resolves when it has ended: with true if the disk had no space to start. */
  async execute(command: SupervisorCommand): Promise<boolean> {
    this.#waiting?.start(command);
    return (await this.#waiting?.ended) ?? false;
  }

  /** Ends a supervisor that has no command. */
  release(): void {
    this.#waiting?.release();
  }

  /** Asks the supervisor to end all processes of the run: in steps, or at once with `force`. */
  stop(force: boolean): void {
    const supervisor = this.supervisor();
    const signal = force ? 'SIGUSR1' : 'SIGTERM';
    if (!supervisor) this.#waiting?.signal(signal);
    else if (isAlive(supervisor)) signalProcess(supervisor.pid, signal);
  }

  /** Whether there is a supervisor, started or about to start. */
  isSupervised(): boolean {
    const supervisor = this.supervisor();
    return supervisor ? isAlive(supervisor) : (this.#waiting?.isRunning() ?? false);
  }

  /** Kills all processes with the run's marker. @returns false if some of them continue */
  endMarked = async (): Promise<boolean> => {
    const areEnded = await killMarked(this.#marker);
    await this.removeContainers();
    return areEnded;
  };

  /** Removes the containers of the run. Those that cannot be removed now are removed when the runner starts. */
  removeContainers = (): Promise<void> | undefined => this.#containers?.removeOf(this.#marker).catch(() => undefined);

  /** Ends what an earlier process of the runner was preparing, including a supervisor that was about to start. */
  async endPreparation(): Promise<void> {
    await this.endMarked();
    await killProcessesNaming(`${this.#folder.workspace.secrets}/`);
  }

  /** Waits until the supervisor and its watchdog have ended, so that neither exists when the end is reported. */
  async supervisorEnded(): Promise<void> {
    for (const find of [this.supervisor, this.#folder.watchdog]) {
      const process = await retryOnResourceError(find);
      if (process) await waitUntilEnded(process, EXIT_MS);
    }
  }

  /** Ends what remains of a run whose supervisor has ended. @returns false if some processes continue */
  async endUnsupervised(): Promise<boolean> {
    // The watchdog has the marker too, but it also ends processes without it: wait for it first.
    await this.supervisorEnded();
    return this.endMarked();
  }

  /** Kills everything at once. @returns false if some processes continue */
  async end(): Promise<boolean> {
    const supervisor = await retryOnResourceError(this.supervisor);
    if (supervisor && isAlive(supervisor)) {
      // The supervisor also finds processes that lost the marker, so it is asked first.
      signalProcess(supervisor.pid, 'SIGUSR1');
      await waitUntilEnded(supervisor, FORCE_MS);
    } else this.#waiting?.signal('SIGKILL');
    return this.endMarked();
  }
}
