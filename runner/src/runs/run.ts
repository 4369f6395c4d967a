import { createHash } from 'node:crypto';
import type { EndReason, RunVersions } from '@signalbox/contract';
import type { JobSpec, ReportedRun } from '@signalbox/contract/link';
import type { App } from '../apps/app.ts';
import { withTexts } from '../errors/preparation-error.ts';
import { retryOnResourceError } from '../errors/resource-error.ts';
import { COMMIT_MESSAGE_LENGTH } from '../git/checkout.ts';
import { oneLineText } from '../git/one-line-text.ts';
import { Delivery, NOTHING_STORED, type StoredPosition } from '../output/delivery.ts';
import { Masker } from '../output/masker.ts';
import { phaseClock } from '../workspace/phase-clock.ts';
import type { Preparation } from '../workspace/preparation.ts';
import { RunLog, sizeOfLog } from '../workspace/run-log.ts';
import { endReasonOf } from './end/end-reason.ts';
import { preparationFailure, supervisorFailure } from './end/failed-preparation.ts';
import { RunFinisher } from './end/finish-run.ts';
import { type RunEnd, runEndOf } from './end/run-end.ts';
import { runVersions } from './end/run-versions.ts';
import { type ExitRecord, LOST_EXIT, type RunFolder } from './folder/run-folder.ts';
import { type Commit, prepareRun } from './preparation/prepare-run.ts';
import { RunProcesses } from './processes/run-processes.ts';
import { RunWatch } from './processes/run-watch.ts';
import { millisecondsSince, type TimeLimit, timeLimit } from './processes/time-limit.ts';
import { RunLogger } from './reports/run-logger.ts';
import { RunReports } from './reports/run-reports.ts';
import type { RunContext } from './run-context.ts';

/**
 * One run, from its job until the server has stored all of it. Everything that must survive a restart of the runner is in the
 * folder of the run, not in this object.
 */
export class Run {
  readonly folder: RunFolder;
  readonly job: JobSpec;
  readonly #app: App<JobSpec>;
  #state: ReportedRun['state'] = 'accepted';
  readonly #deps: RunContext;
  readonly #logger: RunLogger;
  readonly #finisher: RunFinisher;
  /** The value of `RUN_MARKER` for every process of the run. */
  readonly marker: string;
  readonly #processes: RunProcesses;
  readonly #reports: RunReports;
  readonly #masker: Masker;
  readonly #delivery: Delivery;
  readonly #abort = new AbortController();
  #watch: RunWatch | undefined;
  /** Whether the supervisor has its command. */
  #hasCommand = false;
  #isDiskFull = false;
  #stop: 'gentle' | 'force' | undefined;
  /** Whether the stop must still be sent to the supervisor. */
  #isStopPending = false;
  #preparing: Promise<void> | undefined;
  #end: RunEnd | undefined;
  /** Why the run failed or was stopped, without secrets. */
  #endReason: EndReason | undefined;
  /** What it was executed with. */
  #versions: RunVersions | undefined;
  #isEnding = false;
  #isAbandoned = false;
  /** How often the link was lost since this process has the run. */
  #lostLinks = 0;

  /** @param secrets what must be masked in everything that is reported of the run */
  constructor(folder: RunFolder, job: JobSpec, secrets: readonly string[], deps: RunContext) {
    this.folder = folder;
    this.job = job;
    this.#app = deps.apps.of(job);
    // The name of the folder is the same on every machine and for every server. Its path belongs to this runner only.
    const pathHash = createHash('sha256').update(folder.path).digest('hex').slice(0, 8);
    this.marker = `${folder.task_id}-${folder.epoch}-${pathHash}`;
    const { containers } = deps.environments;
    const hasContainers = job.execution_environment.kind === 'container';
    this.#processes = new RunProcesses(folder, this.marker, hasContainers ? containers : undefined);
    this.#reports = new RunReports(folder, deps.send);
    this.#masker = new Masker(secrets);
    this.#deps = deps;
    this.#logger = new RunLogger(folder.task_id, this.#masker, deps.log);
    this.#finisher = new RunFinisher({
      folder,
      job,
      app: this.#app,
      hostKeys: deps.context.hostKeys,
      logger: this.#logger,
    });
    this.#delivery = new Delivery({
      folder,
      masker: this.#masker,
      eventsLimit: deps.context.outputLimit,
      pace: deps.pace,
      send: deps.send,
      onComplete: (lines) => this.#end && this.#reports.ended(this.#end, lines, this.#endReason, this.#versions),
      onError: (error) => this.#logger.write(`The output of task ${folder.task_id} cannot be read: ${String(error)}`),
    });
  }

  get reported(): ReportedRun {
    return { task_id: this.folder.task_id, epoch: this.folder.epoch, state: this.#state };
  }

  /** True while programs of the run may be executed. */
  get isActive() {
    return this.#state === 'preparing' || this.#state === 'playing';
  }

  /** Finds out how far the run is, after a restart of the runner. Nothing is sent before `resume`. */
  async recover(): Promise<void> {
    this.#reports.isLinked = false;
    const exit = this.folder.readExit();
    if (exit) {
      await this.#finishOnce(exit);
      return;
    }
    if (!this.folder.hasJob()) {
      // The run has ended, but how it ended could not be written.
      await this.#endWith({ ...LOST_EXIT, bytes: sizeOfLog(this.folder) });
      return;
    }
    if (!this.folder.wasPermitted()) return;
    // After this, a supervisor that was about to start either has started or never will.
    if (!this.folder.hasStarted()) await this.#processes.endPreparation();
    if (this.folder.hasStarted()) {
      this.#state = 'playing';
      this.#hasCommand = true;
      this.#poll();
      this.#beginWatch();
      return;
    }
    try {
      await this.folder.clearPreparation();
    } catch (error) {
      // The old checkout cannot be removed, and must not be mixed with a new one: only this run fails.
      await this.#endWith(this.#unstarted(this.#failure(error)));
      return;
    }
    this.#begin(true);
  }

  /** Starts the run: the server has permitted it. Nothing is executed before. */
  async start(): Promise<void> {
    if (this.#state !== 'accepted' || this.#isAbandoned || this.#stop) return;
    this.#state = 'preparing';
    const links = this.#lostLinks;
    try {
      await this.folder.writeStart();
    } catch (error) {
      this.#logger.write(`The start of task ${this.folder.task_id} cannot be recorded: ${String(error)}`);
      await this.#endWith({ ...this.#failure(error), code: null, signal: null, bytes: 0 });
      if (this.#reports.isLinked && !this.#isAbandoned) await this.#delivery.resume(NOTHING_STORED);
      return;
    }
    if (this.#isAbandoned) return;
    // If the link was lost meanwhile, the next server sends the position to resume from.
    const isStillLinked = links === this.#lostLinks;
    if (isStillLinked) this.#reports.isLinked = true;
    this.#begin(false);
    if (isStillLinked) await this.#delivery.resume(NOTHING_STORED);
  }

  /** Ends the processes of the run: in steps, or at once with `force`. */
  stop(force: boolean): void {
    if (this.#state === 'ended') return;
    this.#stop = force || this.#stop === 'force' ? 'force' : 'gentle';
    if (this.#state === 'accepted') {
      void this.#endUnstarted();
      return;
    }
    this.#abort.abort();
    this.#isStopPending = true;
    this.#poll();
  }

  /** The link is open again and the server has stored everything before this position. */
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

  /**
   * Ends everything that runs, at once, and deletes the run.
   * @param isOrphaned true if its task ended without this runner
   */
  async abandon(isOrphaned = false): Promise<void> {
    this.#isAbandoned = true;
    this.#abort.abort();
    this.#processes.release();
    if (this.isActive) {
      this.#logger.processesLeft(await this.#processes.end());
      await this.#preparing;
    }
    await this.#finisher.closeConnection();
    await this.delete(isOrphaned);
  }

  /**
   * Deletes the run: the server has stored all output, or abandoned the run. The log of an orphaned run is kept for a
   * day.
   */
  async delete(isOrphaned = false): Promise<void> {
    this.#watch?.close();
    await this.#delivery.close();
    if (isOrphaned) {
      // The task has ended without this runner, so processes that the run left behind on purpose are ended as well.
      this.#logger.processesLeft(await this.#processes.endMarked());
      await this.#finisher.removeSecrets();
      await this.#finisher.keepOrphanedLog(this.#masker, this.#deps.orphanedLogs);
    }
    await retryOnResourceError(() => this.folder.remove());
  }

  #begin(again: boolean) {
    this.#state = 'preparing';
    this.#deps.onChange();
    try {
      this.#processes.start(this.#deps.supervisors);
    } catch (error) {
      // The run ends when it needs its supervisor.
      this.#logger.failed('The supervisor', 'started', error);
    }
    this.#beginWatch();
    this.#preparing = this.#prepare(again);
  }

  async #prepare(again: boolean): Promise<void> {
    let log: RunLog | undefined;
    let limit: TimeLimit | undefined;
    try {
      // An earlier process of the runner may have begun the run.
      const spent = millisecondsSince(this.folder.permittedAt());
      limit = timeLimit(this.job.max_duration, spent, this.#abort.signal);
      // The rest is for the output of the run itself.
      log = new RunLog(this.folder, this.#deps.context.outputLimit / 2);
      if (again) log.line('The runner was restarted: the preparation begins again.');
      const command = await prepareRun(this.#preparation(log, limit.signal), {
        app: this.#app,
        environments: this.#deps.environments,
        workspace: this.folder.workspace,
        onCommit: (commit) => this.#writeCommit(commit),
      });
      log.close();
      limit.signal.throwIfAborted();
      this.#hasCommand = true;
      void this.#processes.execute({ ...command, time_limit: limit.left() }).then((isFull) => {
        this.#isDiskFull = isFull;
        this.#poll();
      });
    } catch (error) {
      // Its files may be the last ones that this process can open, and the end of the run needs one.
      log?.close();
      this.#processes.release();
      // A build that failed may have left processes, too.
      this.#logger.processesLeft(await this.#processes.endMarked());
      await this.#endWith(this.#unstarted(this.#failure(error, limit?.signal)));
    }
  }

  #preparation(log: RunLog, signal: AbortSignal): Preparation<JobSpec> {
    return {
      job: this.job,
      context: this.#deps.context,
      log,
      done: phaseClock(log),
      marker: this.marker,
      signal,
      privateFolder: this.folder.privateFolder,
      containerFolder: this.folder.containerFolder,
      recordUse: this.folder.writeUse,
      recordVersions: this.folder.writeVersions,
    };
  }

  async #writeCommit({ hash, message }: Commit): Promise<void> {
    // Masked before it is changed and cut: the masker does not find a part of a secret.
    const commit = { hash, message: oneLineText(this.#masker.mask(message), COMMIT_MESSAGE_LENGTH) };
    await this.folder.writeCommit(commit);
    this.#reports.commit(commit);
  }

  #unstarted(failure: Pick<ExitRecord, 'reason' | 'message' | 'end_reason'>): ExitRecord {
    return { ...failure, code: null, signal: null, bytes: sizeOfLog(this.folder) };
  }

  #failure(error: unknown, limit?: AbortSignal): Pick<ExitRecord, 'reason' | 'message' | 'end_reason'> {
    if (this.#abort.signal.aborted) return { reason: 'stopped' };
    if (limit?.aborted) return { reason: 'time_limit' };
    return preparationFailure(error, (text) => this.#logger.failed('The run', 'prepared', text));
  }

  #beginWatch() {
    this.#watch ??= new RunWatch(this.folder.path, () => this.#poll());
  }

  /** Checks the folder of the run. What cannot be read now is read by the next call. */
  #poll(): void {
    try {
      this.#checkFolder();
      this.#logger.readable();
    } catch (error) {
      this.#logger.unreadable(error);
    }
  }

  /** Checks whether the supervisor has started or ended, and whether there is new output. */
  #checkFolder(): void {
    if (this.#isAbandoned) return;
    if (this.#isStopPending) this.#forwardStop();
    this.#delivery.poll();
    if (!this.#hasCommand || this.#isEnding || this.#state === 'ended') return;
    const exit = this.folder.readExit();
    if (exit) {
      void this.#finishOnce(exit);
      return;
    }
    const hasStarted = this.#processes.supervisor() !== undefined;
    if (hasStarted && this.#state === 'preparing') {
      this.#state = 'playing';
      this.#deps.onChange();
      this.#reports.started();
      this.#forwardStop();
    }
    if (!this.#processes.isSupervised()) void this.#endWithoutSupervisor(hasStarted);
  }

  /** Ends a run whose supervisor ended and left no exit record. */
  async #endWithoutSupervisor(hadStarted: boolean): Promise<void> {
    if (this.#isEnding) return;
    this.#isEnding = true;
    try {
      this.#logger.processesLeft(await this.#processes.endUnsupervised());
      if (this.#isAbandoned) return;
      await this.#finish(this.folder.readExit() ?? (await this.#finisher.writeExit(this.#unsupervised(hadStarted))));
    } catch (error) {
      // The next poll tries again.
      this.#isEnding = false;
      this.#logger.unreadable(error);
    }
  }

  #unsupervised(hadStarted: boolean): ExitRecord {
    const hasBegun = hadStarted || this.folder.hasStarted();
    return this.#unstarted(
      supervisorFailure({ hasBegun, isStopped: this.#stop !== undefined, isDiskFull: this.#isDiskFull }),
    );
  }

  async #endUnstarted(): Promise<void> {
    await this.#endWith({ reason: 'stopped', code: null, signal: null, bytes: 0 });
    if (this.#reports.isLinked && !this.#isAbandoned) await this.#delivery.resume(NOTHING_STORED);
  }

  #forwardStop() {
    if (!this.#stop || !this.#hasCommand) return;
    this.#processes.stop(this.#stop === 'force');
    this.#isStopPending = false;
  }

  async #endWith(exit: ExitRecord): Promise<void> {
    if (this.#isAbandoned) return;
    await this.#finishOnce(await this.#finisher.writeExit(exit));
  }

  async #finishOnce(exit: ExitRecord): Promise<void> {
    if (this.#isEnding || this.#state === 'ended') return;
    this.#isEnding = true;
    await this.#finish(exit);
  }

  async #finish(exit: ExitRecord): Promise<void> {
    this.#watch?.close();
    await this.#finisher.cleanUp(this.#processes);
    this.#end = runEndOf(exit, this.#app);
    const { output, workspace } = this.folder;
    const { checkout, events, outOfMemory } = workspace;
    const reason = endReasonOf(
      exit,
      { output, checkout, events, outOfMemory, engine: this.#deps.environments.engine, job: this.job },
      this.#app,
    );
    this.#versions = runVersions(this.folder, (text) => this.#masker.mask(text));
    this.#endReason = reason && withTexts(reason, (text) => this.#masker.mask(text));
    // A short run may start and end between two polls: its start is reported now.
    this.#reports.started();
    const { size, missing } = await this.#finisher.closeLog(exit);
    this.#state = 'ended';
    this.#deps.onChange();
    this.#delivery.finish(size, missing);
    void this.folder.clearWorkspace().catch(() => undefined);
  }
}
