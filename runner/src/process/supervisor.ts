import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { RUN_MARKER } from './process-table.ts';
import type { ProcessUser } from './user.ts';

/** The program that keeps a run. */
export const SUPERVISOR = join(import.meta.dirname, '..', '..', 'supervisor', 'supervisor.py');

export interface SupervisorCommand {
  /** The program's absolute path, then its arguments. */
  argv: string[];
  cwd: string;
  env: Record<string, string>;
  /** Most bytes of the log; what comes after is taken from the command and thrown away. */
  output_cap: number;
  /** As whom the program is executed; null for whom the keeper itself is executed as. */
  user: Pick<ProcessUser, 'name' | 'uid' | 'gid'> | null;
  /** Seconds after which everything of the run is stopped; 0 means never. */
  time_limit: number;
}

/** What it exits with when there is no room for what must be written before the start. */
const FULL_DISK_CODE = 4;

/** A keeper that waits for its command. */
export interface IdleSupervisor {
  pid: number | undefined;
  /** Gives it the command; it starts that at most once. */
  start(command: SupervisorCommand): void;
  /** Lets it go without one. */
  release(): void;
  /** Settles when the process has ended; with true when it found no room on the disk to start anything. */
  ended: Promise<boolean>;
}

/**
 * Starts a keeper in a session of its own, so that it outlives this process. It is started before its command is known,
 * because Python's own start then happens while the run is being prepared.
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
  // Where there is no room for another process or file, there is no pipe either.
  const command: Writable | undefined = child.stdin;
  // A keeper that has ended already is noticed by its exit, not by the pipe.
  command?.on('error', () => undefined);
  return {
    pid: child.pid,
    start: (given) => command?.end(JSON.stringify(given)),
    release: () => command?.end(),
    ended,
  };
};
