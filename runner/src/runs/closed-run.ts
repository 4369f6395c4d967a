import { rm, stat, writeFile } from 'node:fs/promises';
import type { ReportedRun } from '@signalbox/contract/link';
import { retryOnResourceError } from '../errors/resource-error.ts';
import { writeDurably } from '../files/durable-file.ts';
import type { StoredPosition } from '../output/delivery.ts';
import { BEGINNING, type ReadPosition } from '../output/read-position.ts';
import { closeConnection } from '../workspace/host-connection.ts';
import { type ClosedJob, decryptSecrets } from './folder/closed-job.ts';
import { LOST_EXIT, type RunFolder } from './folder/run-folder.ts';
import { Run } from './run.ts';
import type { RunContext } from './run-context.ts';

/** Replaces the rest of an output that can no longer be masked. */
export const UNMASKABLE_LINE =
  'The rest of the output is not shown: the server has lost the key that is needed to mask its secrets.';

/** How long a server may send a wrong key before the output of a run is discarded, in milliseconds. */
export const WRONG_KEY_MS = 10 * 60_000;

/** Encrypted secrets that no key decrypts. */
const UNDECRYPTABLE = Buffer.alloc(32).toString('base64');

/**
 * A run that ended under an earlier process of the runner. Its output must not be read until the server sends the key that
 * decrypts what must be masked in it.
 */
export class ClosedRun {
  readonly folder: RunFolder;
  #closed: ClosedJob;

  constructor(folder: RunFolder, closed: ClosedJob) {
    this.folder = folder;
    this.#closed = closed;
  }

  get reported(): ReportedRun {
    return { task_id: this.folder.task_id, epoch: this.folder.epoch, state: 'ended' };
  }

  /** Cleans up again, in case the earlier process did not finish that: connections, secrets, and the workspace. */
  async recover({ context, log }: RunContext): Promise<void> {
    const { folder } = this;
    for (const clean of [
      () => closeConnection(folder.workspace, context.hostKeys, this.#closed.job.project_id),
      () => folder.removeSecrets(),
      () => folder.clearWorkspace(),
      () => folder.workspace.reclaim(),
    ]) {
      await clean().catch((error) => log(`Remains of task ${folder.task_id} cannot be removed: ${String(error)}`));
    }
  }

  delete = (): Promise<void> => retryOnResourceError(() => this.folder.remove());

  /**
   * The run, ready to be resumed.
   * @param key the key of the run's job as the server knows it
   * @returns undefined while the key is wrong and the server may still get the right one
   */
  async open(key: string, stored: StoredPosition, deps: RunContext): Promise<Run | undefined> {
    const secrets = decryptSecrets(this.#closed, key);
    if (!secrets && !(await this.#isGivenUp(deps.log))) return undefined;
    if (!secrets) await this.#giveUpOutput(stored);
    const run = new Run(this.folder, this.#closed.job, secrets ?? [], deps);
    await run.recover();
    return run;
  }

  /** Whether the first wrong key was received so long ago that the server is not expected to send the right one. */
  async #isGivenUp(log: (text: string) => void): Promise<boolean> {
    const { task_id } = this.folder;
    const file = this.folder.file('refused');
    const refused = await stat(file).catch(() => undefined);
    if (refused) return Date.now() - refused.mtimeMs > WRONG_KEY_MS;
    await writeFile(file, '', { mode: 0o600 });
    log(
      `The server does not have the key of task ${task_id}: the runner waits 10 minutes for it, and then discards the rest of the log.`,
    );
    return false;
  }

  /**
   * Replaces everything that is not stored by one line. The order of the steps makes sure that the raw output is never sent,
   * wherever this is interrupted.
   */
  async #giveUpOutput({ next_line, next_result }: StoredPosition): Promise<void> {
    const { folder } = this;
    const text = `${UNMASKABLE_LINE}\n`;
    // From here on, no key decrypts the secrets. After an interruption below, the next start calls this method again.
    this.#closed = { ...this.#closed, secrets: UNDECRYPTABLE };
    await folder.writeClosedJob(this.#closed);
    await writeFile(folder.output, text, { mode: 0o600, flush: true });
    await rm(folder.times, { force: true });
    // The 0 is the start of a line that the runner wrote itself, see LineTimes.
    await writeFile(folder.times, `${Buffer.byteLength(text)} ${Date.now()} 0\n`, { mode: 0o600 });
    await folder.workspace.remove(folder.workspace.events);
    // The message of the exit record cannot be masked either.
    const { message: _, end_reason: __, ...exit } = folder.readExit() ?? LOST_EXIT;
    await folder.writeExit({ ...exit, bytes: Buffer.byteLength(text) });
    const events = { ...BEGINNING.events, count: next_result - 1 };
    const position: ReadPosition = { ...BEGINNING, line: next_line - 1, events };
    await writeDurably(folder.position, JSON.stringify(position));
    await folder.writeClosedJob({ ...this.#closed, secrets: '' });
  }
}
