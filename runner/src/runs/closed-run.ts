import { rm, stat, writeFile } from 'node:fs/promises';
import type { HeldRun } from '@signalbox/contract/link';
import { closeConnection } from '../apps/ansible/ssh-connection.ts';
import { retryOnResourceError } from '../errors/resource-error.ts';
import { writeDurably } from '../files/durable-file.ts';
import type { StoredPosition } from '../output/delivery.ts';
import { BEGINNING, type ReadPosition } from '../output/read-position.ts';
import { type ClosedJob, decryptSecrets } from './folder/closed-job.ts';
import { LOST_EXIT, type RunFolder } from './folder/run-folder.ts';
import { Run } from './run.ts';
import type { RunContext } from './run-context.ts';

/** Stands where the output of a run would be that nobody can mask any more. */
export const UNMASKABLE_LINE =
  'The rest of the output is not shown: the server has lost the key that tells what is secret in it.';

/** How long a server may have the wrong encryption key, in milliseconds, before a log that waits for it is given up. */
export const WRONG_KEY_MS = 10 * 60_000;

/** What no key opens. */
const FORGONE = Buffer.alloc(32).toString('base64');

/** A run that ended under an earlier process. Until the server says its key, nothing of its output may be read. */
export class ClosedRun {
  readonly folder: RunFolder;
  #sealed: ClosedJob;

  constructor(folder: RunFolder, sealed: ClosedJob) {
    this.folder = folder;
    this.#sealed = sealed;
  }

  get held(): HeldRun {
    return { task_id: this.folder.task_id, epoch: this.folder.epoch, state: 'ended' };
  }

  /** Takes again what the earlier process may not have come to take: secrets, and what another user may still read. */
  async recover({ workshop, note }: RunContext): Promise<void> {
    const { folder } = this;
    for (const take of [
      () => closeConnection(folder.workspace, workshop.hostKeys, this.#sealed.order.project_id),
      () => folder.removeSecrets(),
      () => folder.clearWorkspace(),
      () => folder.workspace.reclaim(),
    ]) {
      await take().catch((fault) => note(`What task ${folder.task_id} left cannot be removed: ${String(fault)}`));
    }
  }

  forget = (): Promise<void> => retryOnResourceError(() => this.folder.remove());

  /**
   * The run, ready to be resumed.
   * @param key what the server says is the key of its order
   * @returns undefined as long as that is another key, and the server may yet get the right one
   */
  async open(key: string, stored: StoredPosition, around: RunContext): Promise<Run | undefined> {
    const secrets = decryptSecrets(this.#sealed, key);
    if (!secrets && !(await this.#isGivenUp(around.note))) return undefined;
    if (!secrets) await this.#forgoOutput(stored);
    const run = new Run(this.folder, this.#sealed.order, secrets ?? [], around);
    await run.recover();
    return run;
  }

  /** Whether the first wrong key was said so long ago that nobody will mend it. */
  async #isGivenUp(note: (sentence: string) => void): Promise<boolean> {
    const { task_id } = this.folder;
    const mark = this.folder.file('refused');
    const facts = await stat(mark).catch(() => undefined);
    if (facts) return Date.now() - facts.mtimeMs > WRONG_KEY_MS;
    await writeFile(mark, '', { mode: 0o600 });
    note(`The server does not know the key of task ${task_id}: it is asked for 10 minutes, then the log is given up.`);
    return false;
  }

  /** Takes one line for all that is not stored. The order of the steps leaves no moment in which the raw output counts. */
  async #forgoOutput({ next_line, next_result }: StoredPosition): Promise<void> {
    const { folder } = this;
    const text = `${UNMASKABLE_LINE}\n`;
    // From here on no key opens it: what is half done below is done again.
    this.#sealed = { ...this.#sealed, secrets: FORGONE };
    await folder.writeClosedJob(this.#sealed);
    await writeFile(folder.output, text, { mode: 0o600, flush: true });
    await rm(folder.times, { force: true });
    // The 0 is the start of the line: it is an own line, see LineTimes.
    await writeFile(folder.times, `${Buffer.byteLength(text)} ${Date.now()} 0\n`, { mode: 0o600 });
    await folder.workspace.remove(folder.workspace.events);
    // Its message cannot be masked either.
    const { message: _, end_reason: __, ...exit } = folder.readExit() ?? LOST_EXIT;
    await folder.noteExit({ ...exit, bytes: Buffer.byteLength(text) });
    const events = { ...BEGINNING.events, count: next_result - 1 };
    const position: ReadPosition = { ...BEGINNING, line: next_line - 1, events };
    await writeDurably(folder.position, JSON.stringify(position));
    await folder.writeClosedJob({ ...this.#sealed, secrets: '' });
  }
}
