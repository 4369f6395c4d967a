import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { isResourceError, retryOnResourceError } from '../errors/resource-error.ts';

/** Identifies a process permanently. A process id alone is reused later. */
export interface ProcessIdentity {
  pid: number;
  /** Field 22 of /proc/pid/stat. */
  start: string;
}

/** The environment variable with which every process of a run is marked. */
export const RUN_MARKER = 'SIGNALBOX_RUN';

/**
 * The identity of a living process; undefined if there is none, or only a zombie.
 * @throws if /proc cannot be read
 */
export const identityOf = (pid: number): ProcessIdentity | undefined => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state, start] = [fields[0], fields[19]];
    return start === undefined || state === 'Z' || state === 'X' ? undefined : { pid, start };
  } catch (error) {
    if (isResourceError(error)) throw error;
    return undefined;
  }
};

/** Whether a process lives. Also true if /proc cannot be read, because a run whose supervisor counts as dead is given up. */
export const isAlive = (process: ProcessIdentity): boolean => {
  try {
    return identityOf(process.pid)?.start === process.start;
  } catch {
    return true;
  }
};

/** Reads `pid start`, as the lock file and the supervisor write it. */
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

/** Waits until a process has ended. @returns false if it still lives after `limitMs` milliseconds */
export const waitUntilEnded = async (process: ProcessIdentity, limitMs: number): Promise<boolean> => {
  // The kernel reports only the end of children, and this process may be none.
  for (const until = performance.now() + limitMs; performance.now() < until; await delay(10)) {
    if (!isAlive(process)) return true;
  }
  return !isAlive(process);
};

/** A file of a process; undefined if the process has ended or the file may not be read. */
const readOf = async (pid: number, name: string): Promise<string | undefined> => {
  try {
    return await readFile(`/proc/${pid}/${name}`, 'latin1');
  } catch (error) {
    if (isResourceError(error)) throw error;
    return undefined;
  }
};

/**
 * Ids of the other living processes of which a file matches.
 * @throws if /proc cannot be read: then it is unknown whether they have ended
 */
const processesWith = async (file: string, isWanted: (content: string) => boolean): Promise<number[]> => {
  const pids = (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry)).map(Number);
  const found: number[] = [];
  // One after another, because each takes a file descriptor.
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

/** Ids of the living processes with this marker, whatever their parents are now. */
export const markedProcesses = (marker: string): Promise<number[]> => processesMarked((found) => found === marker);

const killAll = async (find: () => Promise<number[]>, limitMs: number): Promise<boolean> => {
  let until: number | undefined;
  for (;;) {
    const pids = await retryOnResourceError(find);
    if (pids.length === 0) return true;
    // The time limit starts when processes can be found.
    until ??= performance.now() + limitMs;
    if (performance.now() > until) return false;
    for (const pid of pids) signalProcess(pid, 'SIGKILL');
    await delay(10);
  }
};

/** Kills every process with the marker, repeatedly until none is left. @returns false if some cannot be ended */
export const killMarked = (marker: string, limitMs = 5_000): Promise<boolean> =>
  killAll(() => markedProcesses(marker), limitMs);

/** The same for every marker with this prefix. */
export const killMarkedWithPrefix = (beginning: string, limitMs = 5_000): Promise<boolean> =>
  killAll(() => processesMarked((found) => found.startsWith(beginning)), limitMs);

/**
 * Kills the processes whose command line contains a path with this prefix, until none is left. The prefix must belong to one
 * run, such as its folder with a slash.
 * @returns false if some cannot be ended within `limitMs` milliseconds
 */
export const killProcessesNaming = (start: string, limitMs = 2_000): Promise<boolean> => {
  const bytes = Buffer.from(start).toString('latin1');
  return killAll(() => processesWith('cmdline', (content) => content.includes(bytes)), limitMs);
};
