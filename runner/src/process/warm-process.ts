import { closeSync, mkdirSync, openSync, rmSync } from 'node:fs';
import { type Clock, PROCESS_CLOCK } from './clock.ts';
import { type ForkProgress, forkSupervisor } from './forked-supervisor.ts';
import type { IdleSupervisor } from './idle-supervisor.ts';
import { startSupervisor, supervisorEnvironment } from './supervisor.ts';
import { requireTrusted } from './trusted-path.ts';
import { startWarmChild, type WarmStart } from './warm-child.ts';

interface WarmSetup {
  /** A folder for the socket, which only this user can enter. */
  readonly folder: string;
  /** The environment of every child process of the runner. */
  readonly env: Readonly<Record<string, string>>;
  /** Absolute path of a Python interpreter. */
  readonly python: () => string;
  /** Undefined if no program should be started warm. An error is the reason why none can be. */
  readonly program: () => WarmStart | undefined;
  /** Gets a line with the reason whenever no process is started for ten minutes. */
  readonly log: (text: string) => void;
  /** Default: the clock of this process. */
  readonly clock?: Clock;
}

/** Without runs for this time the process ends, and after an error none is started for this time. In milliseconds. */
const IDLE_MS = 10 * 60_000;

/** Its start costs about as much as this number of runs save. */
const WORTH_RUNS = 3;

/**
 * Starts supervisors. If runs are frequent, a warm process forks them: it has loaded what a program needs in every run, which
 * is most of the time of a short run.
 */
export class WarmProcess {
  readonly #setup: WarmSetup;
  readonly #clock: Clock;
  #child: ReturnType<typeof startWarmChild> | undefined;
  #isReady = false;
  readonly #progress: ForkProgress = { answers: 0 };
  #folderDescriptor: number | undefined;
  #lastRunAt = Number.NEGATIVE_INFINITY;
  #pausedAt = Number.NEGATIVE_INFINITY;
  #cancelIdle = () => {};

  constructor(setup: WarmSetup) {
    this.#setup = setup;
    this.#clock = setup.clock ?? PROCESS_CLOCK;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Starts a supervisor, which waits for its command. @throws Error if no process can be created */
  supervisor(folder: string, marker: string): IdleSupervisor {
    const path = this.#setup.env.PATH ?? '';
    const startCold = () => startSupervisor(folder, marker, this.#setup.python(), path);
    const isFrequent = this.#clock.now() - this.#lastRunAt < IDLE_MS;
    this.#lastRunAt = this.#clock.now();
    this.#cancelIdle();
    this.#cancelIdle = this.#clock.after(IDLE_MS, () => this.stop());
    if (isFrequent) void this.start();
    const child = this.#child;
    if (!this.#isReady || this.#folderDescriptor === undefined) return startCold();
    return forkSupervisor({
      // The path of a folder can be longer than the path of a socket may be.
      socket: `/proc/self/fd/${this.#folderDescriptor}/socket`,
      request: { folder, env: supervisorEnvironment(marker, path) },
      progress: this.#progress,
      clock: this.#clock,
      startCold,
      onSilence: (seconds) => {
        if (this.#child === child) this.#pause(`the warm process has answered no run for ${seconds} seconds`);
      },
    });
  }

  /** Starts the process. Resolves when it is ready: with false if runs must be started without it. */
  start(): Promise<boolean> {
    const isPaused = this.#clock.now() - this.#pausedAt < IDLE_MS;
    if (this.#child || isPaused) return Promise.resolve(this.#isReady);
    try {
      const program = this.#setup.program();
      if (!program) return Promise.resolve(false);
      requireTrusted(program.path);
      requireTrusted(program.interpreter);
      this.#makeFolder();
      return this.#startChild(program);
    } catch (error) {
      this.#pause(error instanceof Error ? error.message : String(error));
      return Promise.resolve(false);
    }
  }

  /** Ends the process. Supervisors that it forked continue. */
  stop(): void {
    this.#cancelIdle();
    const child = this.#child;
    this.#clear();
    child?.kill();
  }

  #makeFolder() {
    const { folder } = this.#setup;
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { mode: 0o700 });
    this.#folderDescriptor = openSync(folder, 'r');
  }

  #startChild(program: WarmStart): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const { folder, env } = this.#setup;
    const { answers } = this.#progress;
    const child = startWarmChild({
      program,
      folder,
      env,
      onReady: () => {
        this.#isReady = this.#child === child;
        resolve(this.#isReady);
      },
      onEnd: (reason, wasKilled) => {
        if (this.#child === child) {
          // It ends when a file has changed. If that happens often, it costs more than it saves.
          const isWorthless = !wasKilled && this.#progress.answers < answers + WORTH_RUNS;
          if (!this.#isReady || isWorthless) this.#pause(reason);
          else this.#clear();
        }
        resolve(false);
      },
    });
    this.#child = child;
    return promise;
  }

  /** Ends the process, and starts none for a while. */
  #pause(reason: string) {
    this.#pausedAt = this.#clock.now();
    const child = this.#child;
    this.#clear();
    child?.kill();
    this.#setup.log(`Runs are started without the warm process for ${IDLE_MS / 60_000} minutes: ${reason}.`);
  }

  #clear() {
    this.#child = undefined;
    this.#isReady = false;
    if (this.#folderDescriptor !== undefined) closeSync(this.#folderDescriptor);
    this.#folderDescriptor = undefined;
  }
}
