import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type ForkProgress, forkSupervisor } from './forked-supervisor.ts';
import type { IdleSupervisor } from './idle-supervisor.ts';
import { SUPERVISOR_FOLDER, startSupervisor, supervisorEnvironment } from './supervisor.ts';
import { isTrusted } from './trusted-path.ts';

/** A Python script whose modules a warm process loads before a run needs them. */
export interface WarmStart {
  /** The absolute path of the script. */
  readonly path: string;
  /** The absolute path of its interpreter, as its first line names it. */
  readonly interpreter: string;
  /** The module that the script imports. */
  readonly module: string;
  /** The modules that read the configuration. What imports one of them is not loaded. */
  readonly configuration: readonly string[];
  /** YAML files that the script parses at its start, relative to the package of the module. */
  readonly parsed: readonly string[];
}

interface WarmSetup {
  /** A folder for the socket, which only this user can enter. */
  readonly folder: string;
  /** The environment of every child process of the runner. */
  readonly env: Readonly<Record<string, string>>;
  /** Absolute path of a Python interpreter. */
  readonly python: () => string;
  /** Undefined if no program can be started warm. */
  readonly program: () => WarmStart | undefined;
}

const PROGRAM = join(SUPERVISOR_FOLDER, 'warm.py');
/** Without runs for this time the process ends, in milliseconds. */
const IDLE_MS = 10 * 60_000;

/** Its start costs about as much as this number of runs save. */
const WORTH_RUNS = 3;

/** Variables that change what an interpreter loads. A run with other values is started without the warm process. */
const FIXED = /^(PATH|TZ|LANG|LC_\w+|SSL_\w+)$/;

/** A path that does not exist, so that no packages of a user are found. */
const NO_HOME = '/nonexistent';

const warmEnvironment = (env: Readonly<Record<string, string>>): Record<string, string> => ({
  ...Object.fromEntries(Object.entries(env).filter(([name]) => FIXED.test(name))),
  HOME: NO_HOME,
  // As runs have it.
  PYTHONUNBUFFERED: '1',
});

/**
 * Starts supervisors. If runs are frequent, a warm process forks them: it has loaded what a program needs in every run, which
 * is most of the time of a short run.
 */
export class WarmProcess {
  readonly #setup: WarmSetup;
  #child: ChildProcess | undefined;
  #isReady = false;
  readonly #progress: ForkProgress = { answers: 0 };
  #folder: number | undefined;
  #lastRun = Number.NEGATIVE_INFINITY;
  /** When a process ended that was not worth its start. */
  #failed = Number.NEGATIVE_INFINITY;
  #idle: NodeJS.Timeout | undefined;

  constructor(setup: WarmSetup) {
    this.#setup = setup;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Starts a supervisor, which waits for its command. @throws Error if no process can be created */
  supervisor(folder: string, marker: string): IdleSupervisor {
    const path = this.#setup.env.PATH ?? '';
    const startCold = () => startSupervisor(folder, marker, this.#setup.python(), path);
    const isFrequent = performance.now() - this.#lastRun < IDLE_MS;
    this.#lastRun = performance.now();
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => this.stop(), IDLE_MS).unref();
    if (!this.#child && isFrequent) void this.start();
    if (!this.#isReady || this.#folder === undefined) return startCold();
    // The path of a folder can be longer than the path of a socket may be.
    const socket = `/proc/self/fd/${this.#folder}/socket`;
    return forkSupervisor(socket, { folder, env: supervisorEnvironment(marker, path) }, this.#progress, startCold);
  }

  /** Starts the process. Resolves when it is ready: with false if runs must be started without it. */
  start(): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const { folder, env } = this.#setup;
    const program = this.#program();
    if (!program || this.#child) return Promise.resolve(this.#isReady);
    try {
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder, { mode: 0o700 });
      this.#folder ??= openSync(folder, 'r');
    } catch {
      return Promise.resolve(false);
    }
    const child = spawn(program.interpreter, [PROGRAM, JSON.stringify(program)], {
      cwd: folder,
      env: warmEnvironment(env),
      detached: true,
      // Descriptor 3 is closed when this process ends.
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    });
    this.#child = child;
    const { answers } = this.#progress;
    const onEnd = (code: number | null) => {
      resolve(false);
      if (this.#child !== child) return;
      // It ends by itself when a file has changed. If that happens often, it costs more than it saves.
      const isWorthless = code !== null && this.#progress.answers < answers + WORTH_RUNS;
      if (!this.#isReady || isWorthless) this.#failed = performance.now();
      this.#forget();
    };
    child.once('exit', onEnd);
    child.once('error', () => onEnd(null));
    child.unref();
    // There are no pipes if the process could not be created.
    for (const stream of child.stdio ?? []) {
      stream?.on('error', () => undefined);
      // A pipe is a socket, which would keep this process alive.
      if (stream && 'unref' in stream && typeof stream.unref === 'function') stream.unref();
    }
    child.stderr?.resume();
    child.stdout?.once('data', () => {
      this.#isReady = this.#child === child;
      resolve(this.#isReady);
    });
    return promise;
  }

  /** Ends the process. Supervisors that it forked continue. */
  stop(): void {
    clearTimeout(this.#idle);
    const child = this.#child;
    this.#forget();
    child?.kill('SIGKILL');
    for (const stream of child?.stdio ?? []) stream?.destroy();
  }

  /** Undefined if there is none, if it could not be started a moment ago, or if another user can change it. */
  #program(): WarmStart | undefined {
    if (performance.now() - this.#failed < IDLE_MS) return undefined;
    try {
      const program = this.#setup.program();
      return program && isTrusted(program.path) && isTrusted(program.interpreter) ? program : undefined;
    } catch {
      // Without files, the program cannot be read now.
      return undefined;
    }
  }

  #forget() {
    this.#child = undefined;
    this.#isReady = false;
    if (this.#folder !== undefined) closeSync(this.#folder);
    this.#folder = undefined;
  }
}
