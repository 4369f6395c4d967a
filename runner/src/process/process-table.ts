import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { isResourceError, retryOnResourceError } from '../errors/resource-error.ts';

/** A process for ever: a pid alone is given to others later. */
export interface ProcessIdentity {
  pid: number;
  /** Field 22 of /proc/pid/stat. */
  start: string;
}

/** The environment variable that every process of a run carries. */
export const RUN_MARKER = 'SIGNALBOX_RUN';

/**
 * The identity of a living process; undefined when there is none, or only what is left of one.
 * @throws when that cannot be looked at
 */
export const identityOf = (pid: number): ProcessIdentity | undefined => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state, start] = [fields[0], fields[19]];
    return start === undefined || state === 'Z' || state === 'X' ? undefined : { pid, start };
  } catch (fault) {
    if (isResourceError(fault)) throw fault;
    return undefined;
  }
};

/** Whether it lives; true also where that cannot be looked at, because what is called dead is given up. */
export const isAlive = (process: ProcessIdentity): boolean => {
  try {
    return identityOf(process.pid)?.start === process.start;
  } catch {
    return true;
  }
};

/** Reads `pid start`, as the lock and the keeper write it. */
export const parseIdentity = (text: string): ProcessIdentity | undefined => {
  const match = /^(\d+) (\d+)\s*$/.exec(text);
  return match?.[1] === undefined || match[2] === undefined ? undefined : { pid: Number(match[1]), start: match[2] };
};

export const writeIdentity = (process: ProcessIdentity) => `${process.pid} ${process.start}`;

/**
 * Sends a signal to one process.
 * @returns false when there is no such process, this user must not signal it, or the number is not the id of one process
 * to end: 1 is init, 0 and negative numbers are groups, -1 is every process
 */
export const signalProcess = (pid: number, signal: NodeJS.Signals | 0): boolean => {
  if (!Number.isSafeInteger(pid) || pid < 2) return false;
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
};

/** Waits until a process is gone; false when it still lives after `limitMs` milliseconds. */
export const waitUntilEnded = async (process: ProcessIdentity, limitMs: number): Promise<boolean> => {
  // The kernel reports only the end of children, and this one may be none of ours.
  for (const until = performance.now() + limitMs; performance.now() < until; await delay(10)) {
    if (!isAlive(process)) return true;
  }
  return !isAlive(process);
};

/** A file of a process; undefined when there is none any more, or it may not be read. */
const readOf = async (pid: number, name: string): Promise<string | undefined> => {
  try {
    return await readFile(`/proc/${pid}/${name}`, 'latin1');
  } catch (fault) {
    if (isResourceError(fault)) throw fault;
    return undefined;
  }
};

/**
 * Pids of the living processes but our own of which some file is as wanted.
 * @throws when they cannot be looked at: who does not know must not call them gone
 */
const processesWith = async (file: string, isWanted: (content: string) => boolean): Promise<number[]> => {
  const pids = (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry)).map(Number);
  const found: number[] = [];
  // One after another: all at once they would take a file each.
  for (const pid of pids) {
    if (pid === process.pid) continue;
    const content = await readOf(pid, file);
    if (content !== undefined && isWanted(content) && identityOf(pid) !== undefined) found.push(pid);
  }
  return found;
};

const processesMarked = (isWanted: (marker: string) => boolean): Promise<number[]> => {
  const name = `${RUN_MARKER}=`;
  return processesWith('environ', (content) => {
    const marker = content.split('\0').find((variable) => variable.startsWith(name));
    return marker !== undefined && isWanted(marker.slice(name.length));
  });
};

/** Pids of the living processes that carry this marker, whoever their parents are now. */
export const markedProcesses = (marker: string): Promise<number[]> => processesMarked((found) => found === marker);

const killAll = async (find: () => Promise<number[]>, limitMs: number): Promise<boolean> => {
  let until: number | undefined;
  for (;;) {
    const pids = await retryOnResourceError(find);
    if (pids.length === 0) return true;
    // As long as nobody can be seen, nobody is ended: that is no time of theirs.
    until ??= performance.now() + limitMs;
    if (performance.now() > until) return false;
    for (const pid of pids) signalProcess(pid, 'SIGKILL');
    await delay(10);
  }
};

/** Kills every process that carries the marker, again and again until none is left. False when some cannot be ended. */
export const killMarked = (marker: string, limitMs = 5_000): Promise<boolean> =>
  killAll(() => markedProcesses(marker), limitMs);

/** The same of every marker that begins so. */
export const killMarkedWithPrefix = (beginning: string, limitMs = 5_000): Promise<boolean> =>
  killAll(() => processesMarked((found) => found.startsWith(beginning)), limitMs);

/**
 * Kills the processes that name a path with this beginning on their command line, until none is left. It must be the
 * run's own, such as its folder and a slash. False when some cannot be ended within `limitMs` milliseconds.
 */
export const killProcessesNaming = (start: string, limitMs = 2_000): Promise<boolean> => {
  const bytes = Buffer.from(start).toString('latin1');
  return killAll(() => processesWith('cmdline', (content) => content.includes(bytes)), limitMs);
};
