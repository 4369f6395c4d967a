import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { identityOf, signalProcess } from './process-table.ts';

/** Pids of the living processes that name something in `folder` on their command line. */
const processesNaming = async (folder: string): Promise<number[]> => {
  const wanted = Buffer.from(`${folder}/`);
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
 * Kills the processes that name something in `folder` on their command line, until none is left. The folder must be the
 * run's own. False when some cannot be ended within `limitMs` milliseconds.
 */
export const endProcessesOf = async (folder: string, limitMs = 2_000): Promise<boolean> => {
  for (const until = performance.now() + limitMs; ; await delay(10)) {
    const pids = await processesNaming(folder);
    if (pids.length === 0) return true;
    if (performance.now() > until) return false;
    for (const pid of pids) signalProcess(pid, 'SIGKILL');
  }
};
