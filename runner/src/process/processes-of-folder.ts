import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { identityOf, signalProcess } from './process-table.ts';

/** Pids of the living processes that have a text on their command line. */
const processesNaming = async (text: string): Promise<number[]> => {
  const wanted = Buffer.from(text);
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const naming = await Promise.all(
    pids.map(async (pid) => {
      try {
        return (await readFile(`/proc/${pid}/cmdline`)).includes(wanted) && identityOf(pid) !== undefined;
      } catch {
        return false;
      }
    }),
  );
  return pids.filter((pid, index) => naming[index] === true && pid !== process.pid);
};

/**
 * Kills the processes that name a path with this beginning on their command line, until none is left. It must be the
 * run's own, such as its folder and a slash. False when some cannot be ended within `limitMs` milliseconds.
 */
export const endProcessesOf = async (start: string, limitMs = 2_000): Promise<boolean> => {
  for (const until = performance.now() + limitMs; ; await delay(10)) {
    const pids = await processesNaming(start);
    if (pids.length === 0) return true;
    if (performance.now() > until) return false;
    for (const pid of pids) signalProcess(pid, 'SIGKILL');
  }
};
