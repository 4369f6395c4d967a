import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { FULL_DISK_CODE, type IdleSupervisor } from './idle-supervisor.ts';
import { RUN_MARKER, signalProcess } from './process-table.ts';

export const SUPERVISOR_FOLDER = join(import.meta.dirname, '..', '..', 'supervisor');

/** The program that supervises a run. */
export const SUPERVISOR = join(SUPERVISOR_FOLDER, 'supervisor.py');

/** The variables of a supervisor. @param path the search path for programs */
export const supervisorEnvironment = (marker: string, path: string) => ({ PATH: path, [RUN_MARKER]: marker });

/**
 * Starts a supervisor in its own session, so that it outlives this process. It is started before its command is known, so
 * that Python starts while the run is being prepared.
 */
export const startSupervisor = (folder: string, marker: string, python: string, path: string): IdleSupervisor => {
  const child = spawn(python, ['-I', '-S', SUPERVISOR, folder], {
    cwd: folder,
    env: supervisorEnvironment(marker, path),
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  child.unref();
  const { pid } = child;
  const ended = new Promise<boolean>((resolve) => {
    child.once('exit', (code) => resolve(code === FULL_DISK_CODE));
    child.once('error', () => resolve(false));
  });
  // There is no pipe if the process could not be created.
  const command: Writable | undefined = child.stdin;
  // A supervisor that has already ended is noticed by its exit, not by the pipe.
  command?.on('error', () => undefined);
  const signal = (name: NodeJS.Signals | 0) => pid !== undefined && signalProcess(pid, name);
  return {
    pid,
    // A child that has ended but was not collected still counts as present; `ended` then resolves.
    isRunning: () => signal(0),
    start: (given) => command?.end(JSON.stringify(given)),
    release: () => command?.end(),
    signal,
    ended,
  };
};
