import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MAX_PREDECESSORS } from '@signalbox/contract/link';
import { z } from 'zod';
import { writeDurably } from '../files/durable-file.ts';

const FILE = 'processes.json';

/** The process that connected last, and those that were started since, the newest first. */
const Processes = z.object({ welcomed: z.uuid().nullable(), started: z.array(z.uuid()) });
type Processes = z.infer<typeof Processes>;

/** The identity of a runner process for the server. */
export interface ProcessIdentity {
  /** Undefined if nothing could be written in a new data folder. */
  readonly process: string | undefined;
  /**
   * Earlier processes of the same data folder, the newest first: an older copy of the data folder does not know them.
   */
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
 * Generates a name for this process, and writes it to the data folder before a server receives it. If that fails, for
 * example on a full disk, the process uses the name of the last one: the next process must know the name under which
 * tasks run.
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

/** Records that a server accepted this process: the names of processes before it are no longer needed. */
export const onWelcome = async (data: string, { process }: ProcessIdentity): Promise<void> => {
  if (process === undefined) return;
  // Without this record, the next process treats this one as started and not connected.
  await writeDurably(join(data, FILE), JSON.stringify({ welcomed: process, started: [] })).catch(() => undefined);
};
