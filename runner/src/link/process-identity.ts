import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MAX_PREDECESSORS } from '@signalbox/contract/link';
import { z } from 'zod';
import { writeDurably } from '../files/durable-file.ts';

const FILE = 'processes.json';

/** The process that a server let in last, and those that were started since, the newest first. */
const Processes = z.object({ welcomed: z.uuid().nullable(), started: z.array(z.uuid()) });
type Processes = z.infer<typeof Processes>;

/** How a process of a runner names itself to the server. */
export interface ProcessIdentity {
  /** Undefined where nothing could be written in a new data folder. */
  readonly process: string | undefined;
  /** Earlier processes of the same data folder, the newest first: who knows them is no copy made before. */
  readonly predecessors: string[];
}

const readProcesses = async (file: string): Promise<Processes> => {
  try {
    return Processes.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    // A new folder, or a file that cannot be read.
    return { welcomed: null, started: [] };
  }
};

/**
 * Names this process, and writes the name down in the data folder before any server learns of it. Where that fails, as on
 * a full disk, the process goes by the name of the last one: the next process must know under which name tasks run.
 */
export const nameProcess = async (data: string): Promise<ProcessIdentity> => {
  const file = join(data, FILE);
  const { welcomed, started } = await readProcesses(file);
  const predecessors = [...started, ...(welcomed === null ? [] : [welcomed])];
  const process = randomUUID();
  try {
    await writeDurably(
      file,
      JSON.stringify({ welcomed, started: [process, ...started].slice(0, MAX_PREDECESSORS - 1) }),
    );
    return { process, predecessors };
  } catch {
    return { process: predecessors[0], predecessors: predecessors.slice(1) };
  }
};

/** Notes that a server let this process in: the names of processes before it are no longer needed. */
export const noteWelcome = async (data: string, { process }: ProcessIdentity): Promise<void> => {
  if (process === undefined) return;
  // Without the note the next process knows this one as one that was started.
  await writeDurably(join(data, FILE), JSON.stringify({ welcomed: process, started: [] })).catch(() => undefined);
};
