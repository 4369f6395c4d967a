import type { EndReason } from '@signalbox/contract';
import type { RunnerMessage } from '@signalbox/contract/link';
import type { RunEnd } from '../end/run-end.ts';
import type { CommitNote, RunFolder } from '../folder/run-folder.ts';

/** What the server is told of a run beside its output: nothing while the link is lost, and then what still counts. */
export class RunReports {
  readonly #folder: RunFolder;
  readonly #send: (message: RunnerMessage) => void;
  #isStartTold = false;
  isLinked = true;

  constructor(folder: RunFolder, send: (message: RunnerMessage) => void) {
    this.#folder = folder;
    this.#send = send;
  }

  /** The link is up again: what was told may have been lost with the old one. */
  linkUp(): void {
    this.isLinked = true;
    this.#isStartTold = false;
    const commit = this.#readCommit();
    if (commit) this.commit(commit);
    this.started();
  }

  #readCommit(): CommitNote | undefined {
    try {
      return this.#folder.readCommit();
    } catch {
      // It is told with the next link; the log of the run names it too, and must not wait for it.
      return undefined;
    }
  }

  /** Tells once that the playbook was started, where it was. */
  started(): void {
    if (this.#isStartTold || !this.isLinked || !this.#folder.hasStarted()) return;
    this.#isStartTold = true;
    this.#send({ type: 'started', ...this.#run });
  }

  commit({ hash, message }: CommitNote): void {
    if (this.isLinked) this.#send({ type: 'commit', ...this.#run, commit_hash: hash, commit_message: message });
  }

  /** All of its `lines` are stored: it counts as ended. */
  ended({ result, kind }: RunEnd, lines: number, endReason: EndReason | undefined): void {
    this.#send({ type: 'ended', ...this.#run, result, reason: kind, end_reason: endReason, lines });
  }

  get #run() {
    return { task_id: this.#folder.task_id, epoch: this.#folder.epoch };
  }
}
