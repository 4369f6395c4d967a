import { rm, writeFile } from 'node:fs/promises';
import type { HeldRun } from '@signalbox/contract/link';
import type { StoredPosition } from '../output/delivery.ts';
import { BEGINNING, type ReadPosition } from '../output/read-position.ts';
import { writeDurably } from './durable-file.ts';
import { Run } from './run.ts';
import { LOST_EXIT, type RunFolder } from './run-folder.ts';
import type { RunSurroundings } from './run-surroundings.ts';
import { openSecrets, type SealedOrder } from './sealed-order.ts';

/** Stands where the output of a run would be that nobody can mask any more. */
export const UNMASKABLE_LINE =
  'The rest of the output is not shown: the server has lost the key that tells what is secret in it.';

/** A run that ended under an earlier process. Until the server says its key, nothing of its output may be read. */
export class SealedRun {
  readonly folder: RunFolder;
  readonly #sealed: SealedOrder;

  constructor(folder: RunFolder, sealed: SealedOrder) {
    this.folder = folder;
    this.#sealed = sealed;
  }

  get held(): HeldRun {
    return { task_id: this.folder.task_id, epoch: this.folder.epoch, state: 'ended' };
  }

  /** Takes again what the earlier process may not have come to take: secrets, and what another user may still read. */
  async recover(note: (sentence: string) => void): Promise<void> {
    const { folder } = this;
    const all = [() => folder.removeSecrets(), () => folder.clearPlace(), () => folder.place.takeBack()];
    for (const take of all) {
      await take().catch((fault) => note(`What task ${folder.task_id} left cannot be removed: ${String(fault)}`));
    }
  }

  forget = (): Promise<void> => this.folder.remove();

  /**
   * The run, ready to be resumed behind what is stored.
   * @param key what the server says is the key of its order
   */
  async open(key: string, stored: StoredPosition, around: RunSurroundings): Promise<Run> {
    const secrets = openSecrets(this.#sealed, key);
    if (!secrets) await this.#forgoOutput(stored);
    const run = new Run(this.folder, this.#sealed.order, secrets ?? [], around);
    await run.recover();
    return run;
  }

  /** Takes one line for all that is not stored. The order of the steps leaves no moment in which the raw output counts. */
  async #forgoOutput({ next_line, next_result }: StoredPosition): Promise<void> {
    const { folder } = this;
    const text = `${UNMASKABLE_LINE}\n`;
    // In place: a full disk has room for it where the output was.
    await writeFile(folder.output, text, { mode: 0o600, flush: true });
    await rm(folder.times, { force: true });
    await folder.place.remove(folder.place.events);
    // Its message cannot be masked either.
    const { message: _, ...exit } = folder.readExit() ?? LOST_EXIT;
    await folder.noteExit({ ...exit, bytes: Buffer.byteLength(text) });
    const events = { ...BEGINNING.events, count: next_result - 1 };
    const position: ReadPosition = { ...BEGINNING, line: next_line - 1, events };
    await writeDurably(folder.position, JSON.stringify(position));
    await folder.keepSealed({ ...this.#sealed, secrets: '' });
  }
}
