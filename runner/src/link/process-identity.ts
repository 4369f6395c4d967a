import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MAX_PREDECESSORS } from '@signalbox/contract/link';
import { z } from 'zod';
import { writeDurably } from '../runs/durable-file.ts';

const FILE = 'processes.json';
const Processes = z.array(z.uuid());

/** How a process of a runner names itself to the server. */
export interface ProcessIdentity {
  readonly process: string;
  /** Earlier processes of the same data folder, the newest first: who knows them is no copy made before. */
  readonly predecessors: string[];
}

const readProcesses = async (file: string): Promise<string[]> => {
  try {
    return Processes.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    // A folder that is new, or a file that no process has written whole.
    return [];
  }
};

/** Names this process, and writes the name down in the data folder before any server learns of it. */
export const nameProcess = async (data: string): Promise<ProcessIdentity> => {
  const file = join(data, FILE);
  const predecessors = (await readProcesses(file)).slice(0, MAX_PREDECESSORS);
  const process = randomUUID();
  // On a full disk the next process is not known by this one, and is let in once this one does not answer.
  await writeDurably(file, JSON.stringify([process, ...predecessors])).catch(() => undefined);
  return { process, predecessors };
};
