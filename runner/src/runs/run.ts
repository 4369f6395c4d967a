import { createHash } from 'node:crypto';
import type { EndReason } from '@signalbox/contract';
import type { HeldRun, JobSpec } from '@signalbox/contract/link';
import { withTexts } from '../errors/preparation-error.ts';
import { retryOnResourceError } from '../errors/resource-error.ts';
import { COMMIT_MESSAGE_LENGTH } from '../git/checkout.ts';
import { Delivery, NOTHING_STORED, type StoredPosition } from '../output/delivery.ts';
import { Masker } from '../output/masker.ts';
import { RunLog, sizeOfLog } from '../workspace/run-log.ts';
import { endReasonOf } from './end/end-reason.ts';
import { preparationFailure, supervisorFailure } from './end/failed-preparation.ts';
import { RunFinisher } from './end/finish-run.ts';
import { type RunEnd, runEndOf } from './end/run-end.ts';
import { type ExitNote, LOST_EXIT, type RunFolder } from './folder/run-folder.ts';
import type { Preparation } from './preparation/prepare-run.ts';
import { prepare } from './preparation/prepare-run.ts';
import { RunProcesses } from './processes/run-processes.ts';
import { RunWatch } from './processes/run-watch.ts';
import { millisecondsSince, type TimeLimit, timeLimit } from './processes/time-limit.ts';
import { RunNotes } from './reports/run-notes.ts';
import { RunReports } from './reports/run-reports.ts';
import type { RunContext } from './run-context.ts';

/** One run, from its order to the moment when the server has all of it. What must survive is in its folder, not here. */
export class Run {
  readonly folder: RunFolder;
  readonly order: JobSpec;
  #state: HeldRun['state'] = 'accepted';
  readonly #around: RunContext;
  readonly #notes: RunNotes;
  readonly #ending: RunFinisher;
  readonly #marker: string;
  readonly #processes: RunProcesses;
  readonly #reports: RunReports;
  readonly #masker: Masker;
  readonly #delivery: Delivery;
  readonly #abort = new AbortController();
  #watch: RunWatch | undefined;
  #isPlayed = false;
  #isDiskFull = false;
  #stop: 'gentle' | 'force' | undefined;
  /** The stop is still to be told to the keeper. */
  #isStopUntold = false;
  #preparing: Promise<void> | undefined;
  #end: RunEnd | undefined;
  /** Why the run failed or was stopped, without secrets. */
  #endReason: EndReason | undefined;
  #isEnding = false;
  #isDropped = false;
  /** How often the link was lost since this process has the run. */
  #lostLinks = 0;

  /** @param secrets what must be masked in all that is told of the run */
  constructor(folder: RunFolder, order: JobSpec, secrets: readonly string[], around: RunContext) {
    this.folder = folder;
    this.order = order;
    // The folder's name is the same on every machine and for every server; its path is this runner's alone.
    const place = createHash('sha256').update(folder.path).digest('hex').slice(0, 8);
    this.#marker = `${folder.task_id}-${folder.epoch}-${place}`;
    this.#processes = new RunProcesses(folder, this.#marker);
    this.#reports = new RunReports(folder, around.send);
    this.#masker = new Masker(secrets);
    this.#around = around;
    this.#notes = new RunNotes(folder.task_id, this.#masker, around.note);
    this.#ending = new RunFinisher(folder, order.project_id, around.workshop.hostKeys, this.#notes);
    this.#delivery = new Delivery({
      folder,
      masker: this.#masker,
      eventsLimit: around.workshop.outputLimit,
      send: around.send,
      onComplete: (lines) => this.#end && this.#reports.ended(this.#end, lines, this.#endReason),
      onError: (fault) => this.#notes.write(`The output of task ${folder.task_id} cannot be read: ${String(fault)}`),
    });
  }

  get held(): HeldRun {
    return { task_id: this.folder.task_id, epoch: this.folder.epoch, state: this.#state };
  }

  /** True while something of it may be executed. */
  get isActive() {
    return this.#state === 'preparing' || this.#state === 'playing';
  }

  /** Finds where the run stands after this process was started anew. Nothing is sent before `resume`. */
  async recover(): Promise<void> {
    this.#reports.isLinked = false;
    const exit = this.folder.readExit();
    if (exit) {
      await this.#settleEnd(exit);
      return;
    }
    if (!this.folder.hasJob()) {
      // It has ended, only how could not be written.
      await this.#endWith({ ...LOST_EXIT, bytes: sizeOfLog(this.folder) });
      return;
    }
    if (!this.folder.wasReleased()) return;
    // Afterwards a keeper that was about to start either has started or never will.
    if (!this.folder.hasStarted()) await this.#processes.endPreparation();
    if (this.folder.hasStarted()) {
      this.#state = 'playing';
      this.#isPlayed = true;
      this.#look();
      this.#beginWatch();
      return;
    }
    try {
      await this.folder.clearPreparation();
    } catch (fault) {
      // What must not be mixed with another checkout cannot be removed: only this run may suffer from that.
      await this.#endWith({ ...this.#whyUnprepared(fault), code: null, signal: null, bytes: sizeOfLog(this.folder) });
      return;
    }
    this.#begin(true);
  }

  /** The server says go: only from here on something is executed. */
  async go(): Promise<void> {
    if (this.#state !== 'accepted' || this.#isDropped || this.#stop) return;
    this.#state = 'preparing';
    const links = this.#lostLinks;
    try {
      await this.folder.noteStart();
    } catch (fault) {
      this.#notes.write(`The go of task ${this.folder.task_id} cannot be written: ${String(fault)}`);
      await this.#endWith({ ...this.#whyUnprepared(fault), code: null, signal: null, bytes: 0 });
      if (this.#reports.isLinked && !this.#isDropped) await this.#delivery.resume(NOTHING_STORED);
      return;
    }
    if (this.#isDropped) return;
    // The server that said go may be gone meanwhile: the next one says where to go on.
    const isStillLinked = links === this.#lostLinks;
    if (isStillLinked) this.#reports.isLinked = true;
    this.#begin(false);
    if (isStillLinked) await this.#delivery.resume(NOTHING_STORED);
  }

  /** Ends the run's processes: in steps, or at once by `force`. */
  stop(force: boolean): void {
    if (this.#state === 'ended') return;
    this.#stop = force || this.#stop === 'force' ? 'force' : 'gentle';
    if (this.#state === 'accepted') {
      void this.#endUnstarted();
      return;
    }
    this.#abort.abort();
    this.#isStopUntold = true;
    this.#look();
  }

  /** The link is up again and this is what the server has. */
  async resume(stored: StoredPosition): Promise<void> {
    this.#reports.linkUp();
    await this.#delivery.resume(stored);
  }

  linkLost(): void {
    this.#lostLinks += 1;
    this.#reports.isLinked = false;
    this.#delivery.pause();
  }

  linesStored = (next_line: number) => this.#delivery.linesStored(next_line);
  recordsStored = (next_result: number) => this.#delivery.recordsStored(next_result);

  /** Ends everything that runs, at once, and forgets the run. */
  async drop(isLate = false): Promise<void> {
    this.#isDropped = true;
    this.#abort.abort();
    this.#processes.release();
    if (this.isActive) {
      this.#notes.left(await this.#processes.end());
      await this.#preparing;
    }
    await this.#ending.closeConnection();
    await this.forget(isLate);
  }

  /** The server has all of it, or wants no more of it: then what it does not have is kept for a while. */
  async forget(isLate = false): Promise<void> {
    this.#watch?.close();
    await this.#delivery.close();
    if (isLate) {
      // A person may have ended the task meanwhile: then nothing of it goes on, also nothing that it left on purpose.
      this.#notes.left(await this.#processes.endMarked());
      await this.#ending.removeSecrets();
      await this.#ending.keepOrphanedLog(this.#masker, this.#around.lateLogs);
    }
    await retryOnResourceError(() => this.folder.remove());
  }

  #begin(again: boolean) {
    this.#state = 'preparing';
    this.#around.onChange();
    try {
      this.#processes.start(this.#around.workshop.base.PATH ?? '');
    } catch (fault) {
      // The run goes on to where its keeper is missed, and ends there.
      this.#notes.failed('The keeper', 'started', fault);
    }
    this.#beginWatch();
    this.#preparing = this.#prepare(again);
  }

  async #prepare(again: boolean): Promise<void> {
    let log: RunLog | undefined;
    let limit: TimeLimit | undefined;
    try {
      // An earlier process of the runner may have begun it.
      const spent = millisecondsSince(this.folder.releasedAt());
      limit = timeLimit(this.order.max_duration, spent, this.#abort.signal);
      log = new RunLog(this.folder);
      if (again) log.line('The runner was started anew: the preparation begins again.');
      const command = await prepare(this.#preparation(log, limit.signal), this.#around.workshop);
      log.close();
      limit.signal.throwIfAborted();
      this.#isPlayed = true;
      void this.#processes.execute({ ...command, time_limit: limit.left() }).then((isFull) => {
        this.#isDiskFull = isFull;
        this.#look();
      });
    } catch (fault) {
      // Its files may be the last ones, and the end needs one.
      log?.close();
      this.#processes.release();
      if (limit?.signal.aborted) this.#notes.left(await this.#processes.endMarked());
      await this.#endWith({
        ...this.#whyUnprepared(fault, limit?.signal),
        code: null,
        signal: null,
        bytes: sizeOfLog(this.folder),
      });
    }
  }

  #preparation(log: RunLog, signal: AbortSignal): Preparation {
    return {
      order: this.order,
      folder: this.folder,
      log,
      marker: this.#marker,
      signal,
      onCommit: async ({ hash, message }) => {
        const commit = { hash, message: this.#masker.mask(message).slice(0, COMMIT_MESSAGE_LENGTH) };
        await this.folder.noteCommit(commit);
        this.#reports.commit(commit);
      },
    };
  }

  #whyUnprepared(fault: unknown, limit?: AbortSignal): Pick<ExitNote, 'reason' | 'message' | 'end_reason'> {
    if (this.#abort.signal.aborted) return { reason: 'stopped' };
    if (limit?.aborted) return { reason: 'time_limit' };
    return preparationFailure(fault, (text) => this.#notes.failed('The run', 'prepared', text));
  }

  #beginWatch() {
    this.#watch ??= new RunWatch(this.folder.path, () => this.#look());
  }

  /** Looks at the folder, as often as something may have changed. What cannot be seen now is seen by the next look. */
  #look(): void {
    try {
      this.#lookAround();
      this.#notes.readable();
    } catch (fault) {
      this.#notes.unreadable(fault);
    }
  }

  /** Has the keeper started, has it ended, is there new output? */
  #lookAround(): void {
    if (this.#isDropped) return;
    if (this.#isStopUntold) this.#passOnStop();
    this.#delivery.poll();
    if (!this.#isPlayed || this.#isEnding || this.#state === 'ended') return;
    const exit = this.folder.readExit();
    if (exit) {
      void this.#settleEnd(exit);
      return;
    }
    const hasStarted = this.#processes.supervisor() !== undefined;
    if (hasStarted && this.#state === 'preparing') {
      this.#state = 'playing';
      this.#around.onChange();
      this.#reports.started();
      this.#passOnStop();
    }
    if (!this.#processes.isSupervised()) void this.#endWithoutKeeper(hasStarted);
  }

  /** The keeper is gone and has left no word. */
  async #endWithoutKeeper(hadStarted: boolean): Promise<void> {
    if (this.#isEnding) return;
    this.#isEnding = true;
    try {
      this.#notes.left(await this.#processes.endUnsupervised());
      if (this.#isDropped) return;
      await this.#settle(this.folder.readExit() ?? (await this.#ending.noteExit(this.#endUnkept(hadStarted))));
    } catch (fault) {
      // The next look tries again.
      this.#isEnding = false;
      this.#notes.unreadable(fault);
    }
  }

  #endUnkept(hadStarted: boolean): ExitNote {
    const hasBegun = hadStarted || this.folder.hasStarted();
    const why = supervisorFailure({ hasBegun, isStopped: this.#stop !== undefined, isDiskFull: this.#isDiskFull });
    return { code: null, signal: null, bytes: sizeOfLog(this.folder), ...why };
  }

  async #endUnstarted(): Promise<void> {
    await this.#endWith({ reason: 'stopped', code: null, signal: null, bytes: 0 });
    if (this.#reports.isLinked && !this.#isDropped) await this.#delivery.resume(NOTHING_STORED);
  }

  #passOnStop() {
    if (!this.#stop || !this.#isPlayed) return;
    this.#processes.stop(this.#stop === 'force');
    this.#isStopUntold = false;
  }

  async #endWith(exit: ExitNote): Promise<void> {
    if (this.#isDropped) return;
    await this.#settleEnd(await this.#ending.noteExit(exit));
  }

  async #settleEnd(exit: ExitNote): Promise<void> {
    if (this.#isEnding || this.#state === 'ended') return;
    this.#isEnding = true;
    await this.#settle(exit);
  }

  async #settle(exit: ExitNote): Promise<void> {
    this.#watch?.close();
    await this.#ending.cleanUp(this.#processes);
    this.#end = runEndOf(exit);
    const { output, workspace: place } = this.folder;
    const { checkout, events } = place;
    const reason = endReasonOf(exit, { output, checkout, events, order: this.order });
    this.#endReason = reason && withTexts(reason, (text) => this.#masker.mask(text));
    // What was executed before `exit` and is not told yet is told now: a short run may start and end between two looks.
    this.#reports.started();
    const { size, unwritten } = await this.#ending.closeLog(exit);
    this.#state = 'ended';
    this.#around.onChange();
    this.#delivery.finish(size, unwritten);
    void this.folder.clearWorkspace().catch(() => undefined);
  }
}
