import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { RUN_MARKER } from './process-table.ts';
import type { ProcessUser } from './user.ts';

/** The program that supervises a run. */
export const SUPERVISOR = join(import.meta.dirname, '..', '..', 'supervisor', 'supervisor.py');

export interface SupervisorCommand {
  /** The program's absolute path, then its arguments. */
  argv: string[];
  cwd: string;
  env: Record<string, string>;
  /** Maximum bytes of the log. Further output is read from the command and discarded. */
  output_cap: number;
  /** The user as whom the program is executed; null for the user of the supervisor itself. */
  user: Pick<ProcessUser, 'name' | 'uid' | 'gid'> | null;
  /** Seconds after which everything of the run is stopped; 0 means never. */
  time_limit: number;
  /** The container that the program starts; undefined if it starts none. */
  container?: { readonly engine: readonly string[]; readonly name: string } | undefined;
}

/** Exit code if the disk has no space for what must be written before the start. */
const FULL_DISK_CODE = 4;

/** A supervisor that waits for its command. */
export interface IdleSupervisor {
  pid: number | undefined;
  /** Sends the command, which the supervisor starts at most once. */
  start(command: SupervisorCommand): void;
  /** Ends the supervisor without a command. */
  release(): void;
  /** Resolves when the process has ended: with true if the disk had no space to start anything. */
  ended: Promise<boolean>;
}

/**
 * Starts a supervisor in its own session, so that it outlives this process. It is started before its command is known, so
 * that Python starts while the run is being prepared.
 */
export const startSupervisor = (folder: string, marker: string, python: string, path: string): IdleSupervisor => {
  const child = spawn(python, ['-I', '-S', SUPERVISOR, folder], {
    cwd: folder,
    env: { PATH: path, [RUN_MARKER]: marker },
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  child.unref();
  const ended = new Promise<boolean>((resolve) => {
    child.once('exit', (code) => resolve(code === FULL_DISK_CODE));
    child.once('error', () => resolve(false));
  });
  // There is no pipe if the process could not be created.
  const command: Writable | undefined = child.stdin;
  // A supervisor that has already ended is noticed by its exit, not by the pipe.
  command?.on('error', () => undefined);
  return {
    pid: child.pid,
    start: (given) => command?.end(JSON.stringify(given)),
    release: () => command?.end(),
    ended,
  };
};
