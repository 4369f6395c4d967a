import type { EndReason, RunVersions } from '@signalbox/contract';
import type { RunnerMessage } from '@signalbox/contract/link';
import type { RunEnd } from '../end/run-end.ts';
import type { CommitRecord, RunFolder } from '../folder/run-folder.ts';

/** Reports the state of a run to the server. Nothing is sent while the link is lost; `linkUp` sends what the server may have missed. */
export class RunReports {
  readonly #folder: RunFolder;
  readonly #send: (message: RunnerMessage) => void;
  #isStartReported = false;
  isLinked = true;

  constructor(folder: RunFolder, send: (message: RunnerMessage) => void) {
    this.#folder = folder;
    this.#send = send;
  }

  /** The link is open again. Earlier reports may have been lost with the old link. */
  linkUp(): void {
    this.isLinked = true;
    this.#isStartReported = false;
    const commit = this.#readCommit();
    if (commit) this.commit(commit);
    this.started();
  }

  #readCommit(): CommitRecord | undefined {
    try {
      return this.#folder.readCommit();
    } catch {
      // It is reported after the next link. The log of the run names it too, and must not wait for it.
      return undefined;
    }
  }

  /** Reports once that the program was started, if it was. */
  started(): void {
    if (this.#isStartReported || !this.isLinked || !this.#folder.hasStarted()) return;
    this.#isStartReported = true;
    this.#send({ type: 'started', ...this.#run });
  }

  commit({ hash, message }: CommitRecord): void {
    if (this.isLinked) this.#send({ type: 'commit', ...this.#run, commit_hash: hash, commit_message: message });
  }

  /** Reports the end, after all of its `lines` are stored. */
  ended(
    { result, kind }: RunEnd,
    lines: number,
    endReason: EndReason | undefined,
    versions: RunVersions | undefined,
  ): void {
    this.#send({ type: 'ended', ...this.#run, result, reason: kind, end_reason: endReason, versions, lines });
  }

  get #run() {
    return { task_id: this.#folder.task_id, epoch: this.#folder.epoch };
  }
}
