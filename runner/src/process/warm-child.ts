import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { SUPERVISOR_FOLDER } from './supervisor.ts';

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

interface WarmChildSetup {
  program: WarmStart;
  /** The working folder, in which the child makes its socket. */
  folder: string;
  /** The environment of every child process of the runner. */
  env: Readonly<Record<string, string>>;
  /** Called when the child accepts requests. */
  onReady(): void;
  /**
   * Called once, after the end.
   * @param reason why it ended
   * @param wasKilled whether a signal ended it
   */
  onEnd(reason: string, wasKilled: boolean): void;
}

const PROGRAM = join(SUPERVISOR_FOLDER, 'warm.py');

/** How much of the end of its standard error is kept, in characters. */
const KEPT = 4096;

/**
 * The variables of the runner that the child gets. It decides itself which of them a run must have with the same value: see
 * FIXED_VARIABLES in warm_program.py.
 */
const INHERITED = /^(PATH|TZ|LANG|LC_\w+|SSL_\w+)$/;

/** A path that does not exist, so that no packages of a user are found. */
const NO_HOME = '/nonexistent';

const environmentOf = (env: Readonly<Record<string, string>>): Record<string, string> => ({
  ...Object.fromEntries(Object.entries(env).filter(([name]) => INHERITED.test(name))),
  HOME: NO_HOME,
  // The programs of runs have this value, and the interpreter reads it only when it starts.
  PYTHONUNBUFFERED: '1',
});

/** Keeps the pipes of a child from keeping this process alive. */
const releasePipes = (child: ChildProcess) => {
  // There are no pipes if the process could not be created.
  for (const stream of child.stdio ?? []) {
    stream?.on('error', () => undefined);
    // A pipe is a socket.
    if (stream && 'unref' in stream && typeof stream.unref === 'function') stream.unref();
  }
};

/** Starts warm.py. @throws Error if no process can be created */
export const startWarmChild = ({ program, folder, env, onReady, onEnd }: WarmChildSetup) => {
  const child = spawn(program.interpreter, [PROGRAM, JSON.stringify(program)], {
    cwd: folder,
    env: environmentOf(env),
    detached: true,
    // Descriptor 3 is closed when this process ends.
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  child.unref();
  releasePipes(child);
  let errors = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-KEPT);
  });
  child.stdout?.once('data', onReady);
  let hasEnded = false;
  const end = (reason: string, wasKilled: boolean) => {
    if (!hasEnded) onEnd(reason, wasKilled);
    hasEnded = true;
  };
  child.once('error', (error) => end(error.message, false));
  // Its standard error is complete only now, which may be after its exit.
  child.once('close', (code, signal) => {
    const lastLine = errors.trim().split('\n').at(-1) ?? '';
    end(lastLine || `${PROGRAM} ended with ${signal ?? `the exit code ${code}`}`, signal !== null);
  });
  return {
    pid: child.pid,
    kill: () => {
      child.kill('SIGKILL');
      for (const stream of child.stdio ?? []) stream?.destroy();
    },
  };
};
