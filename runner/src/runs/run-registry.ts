import { join } from 'node:path';
import type { EndReason } from '@signalbox/contract';
import { DAY_MS } from '@signalbox/contract/limits';
import type { JobSpec, ReportedRun, RunnerMessage, ServerMessage } from '@signalbox/contract/link';
import type { Apps } from '../apps/apps.ts';
import type { Environments } from '../environments/environments.ts';
import { ownDetail } from '../errors/own-detail.ts';
import { DISK_FULL } from '../errors/preparation-error.ts';
import { NOTHING_STORED } from '../output/delivery.ts';
import { PollPace } from '../output/poll-pace.ts';
import type { RunnerContext } from '../workspace/runner-context.ts';
import { ClosedRun } from './closed-run.ts';
import { closeJob } from './folder/closed-job.ts';
import { listRunFolders, RunFolder } from './folder/run-folder.ts';
import { prepareToWatch } from './processes/run-watch.ts';
import { Run } from './run.ts';
import type { RunContext } from './run-context.ts';

/** Delay before a closed run that could not be opened is tried again, in milliseconds. */
const REOPEN_MS = 5_000;

/** Messages about one run. */
export type RunCommand = Extract<ServerMessage, { task_id: number }> | Extract<ServerMessage, { type: 'job' }>;

export interface RegistryOptions {
  folder: string;
  context: RunnerContext;
  apps: Apps;
  environments: Environments;
  supervisors: RunContext['supervisors'];
  send: (message: RunnerMessage) => void;
  log: (text: string) => void;
  /** Folder of the logs of orphaned runs. */
  orphanedLogs: string;
  /** Whether the runner accepts no more than one job. */
  acceptsOne: boolean;
  /** Called when a job was accepted. */
  onAccepted: () => void;
  /** Called when a run was added or deleted, or changed its state. */
  onChange: () => void;
}

/** The runs of this runner by task, with at most one epoch of each. */
export class RunRegistry {
  readonly #options: RegistryOptions;
  readonly #runs = new Map<number, Run | ClosedRun>();
  readonly #pace = new PollPace();
  /** Messages about one task are handled one after another. */
  readonly #queues = new Map<number, Promise<void>>();
  #isDraining = false;
  /** Number of jobs that are being stored. */
  #accepting = 0;
  #lostLinks = 0;

  constructor(options: RegistryOptions) {
    this.#options = options;
  }

  get reported(): ReportedRun[] {
    return [...this.#runs.values()].map((run) => run.reported);
  }

  /** The markers of the runs that have not ended. */
  get markers(): ReadonlySet<string> {
    return new Set(this.#openRuns.filter((run) => run.isActive).map(({ marker }) => marker));
  }

  get isActive() {
    return this.#openRuns.some((run) => run.isActive);
  }

  get #openRuns(): Run[] {
    return [...this.#runs.values()].filter((run) => run instanceof Run);
  }

  get isEmpty() {
    return this.#runs.size === 0;
  }

  /** Finds all runs of an earlier process and continues them. */
  async recover(): Promise<void> {
    const { folder: runs, context, log } = this.#options;
    prepareToWatch(join(runs, '..'));
    for (const folder of await listRunFolders(runs, context.workspaces, log)) {
      const run = this.#found(folder);
      const older = this.#runs.get(folder.task_id);
      if (run === undefined || (older && older.folder.epoch > folder.epoch)) {
        await folder.remove().catch((error) => this.#logNotRemoved(folder, error));
        continue;
      }
      this.#runs.set(folder.task_id, run);
      await (run instanceof Run ? run.recover() : run.recover(this.#context()));
    }
  }

  #found(folder: RunFolder): Run | ClosedRun | undefined {
    const job = folder.readJob();
    if (job) return new Run(folder, job, this.#options.apps.secretsOf(job), this.#context());
    const closed = folder.readClosedJob();
    return closed && new ClosedRun(folder, closed);
  }

  /** Cached folders that the runs read from. */
  async uses(): Promise<Set<string>> {
    const found = await Promise.all([...this.#runs.values()].map((run) => run.folder.readUse()));
    return new Set(found.filter((path) => path !== undefined));
  }

  /**
   * Deletes ended runs that no server has asked for in this many days; 0 means never.
   * @param now milliseconds since 1970
   */
  async removeOld(days: number, now = Date.now()): Promise<void> {
    if (days === 0) return;
    for (const run of [...this.#runs.values()].filter(({ reported }) => reported.state === 'ended')) {
      const ended = await run.folder.endedAt();
      if (ended === undefined || now - ended <= days * DAY_MS) continue;
      await this.#delete(run, () => run.delete());
      this.#options.log(`Removed the run of task ${run.folder.task_id}: no server has asked for it in ${days} days.`);
    }
  }

  handle(message: RunCommand): Promise<void> {
    const task = message.type === 'job' ? message.job.task_id : message.task_id;
    const before = this.#queues.get(task) ?? Promise.resolve();
    const handled = before
      .then(() => this.#dispatch(message))
      .catch((error) => this.#options.log(`${message.type} of task ${task} failed: ${String(error)}`))
      .finally(() => {
        if (this.#queues.get(task) === handled) this.#queues.delete(task);
      });
    this.#queues.set(task, handled);
    return handled;
  }

  linkLost(): void {
    this.#lostLinks += 1;
    for (const run of this.#openRuns) run.linkLost();
  }

  /** Accepts no more jobs. */
  drain(): void {
    this.#isDraining = true;
  }

  /** Stops all runs. */
  stopAll(): void {
    for (const run of this.#openRuns) run.stop(false);
  }

  async #dispatch(message: RunCommand): Promise<void> {
    if (message.type === 'job') return this.#accept(message);
    const run = this.#runs.get(message.task_id);
    if (run === undefined || run.folder.epoch !== message.epoch) return;
    if (run instanceof ClosedRun) return this.#open(run, message);
    switch (message.type) {
      case 'start':
        return run.start();
      case 'resume':
        return run.resume(message);
      case 'output_stored':
        return run.linesStored(message.next_line);
      case 'results_stored':
        return run.recordsStored(message.next_result);
      case 'stop':
        return run.stop(message.force);
      case 'acknowledged':
        return this.#delete(run, () => run.delete(message.orphaned === true));
      case 'abandon':
        return this.#delete(run, () => run.abandon(message.orphaned === true));
    }
  }

  /** Opens a run of an earlier process, if the server has its key. */
  async #open(closed: ClosedRun, message: Exclude<RunCommand, { type: 'job' }>): Promise<void> {
    const isAcknowledged = message.type === 'acknowledged';
    if (message.type === 'abandon' || (isAcknowledged && !message.orphaned))
      return this.#delete(closed, () => closed.delete());
    // A server of an older version sends no key; a newer one will.
    if ((!isAcknowledged && message.type !== 'resume') || message.job_key === undefined) return;
    const links = this.#lostLinks;
    const stored = isAcknowledged ? NOTHING_STORED : message;
    let run: Run | undefined;
    try {
      run = await closed.open(message.job_key, stored, this.#context());
    } finally {
      // The server sends the key once. The obstacle, such as a full disk, may be temporary.
      if (!run) setTimeout(() => links === this.#lostLinks && this.handle(message), REOPEN_MS).unref();
    }
    if (!run) return;
    this.#runs.set(closed.folder.task_id, run);
    // If the link was lost, the next server sends its position again.
    if (links === this.#lostLinks) return this.#dispatch(message);
  }

  async #accept({ job, job_key }: Extract<RunCommand, { type: 'job' }>): Promise<void> {
    const { task_id, epoch } = job;
    const earlier = this.#runs.get(task_id);
    if (earlier?.folder.epoch === epoch) {
      this.#options.send({ type: 'accepted', task_id, epoch });
      return;
    }
    if (this.#isDraining || (this.#options.acceptsOne && this.#accepting > 0)) return;
    this.#accepting += 1;
    try {
      await this.#store(job, job_key, earlier);
    } finally {
      this.#accepting -= 1;
    }
  }

  /** Stores a job and accepts it, unless another epoch of its task is held. */
  async #store(job: JobSpec, job_key: string, earlier: Run | ClosedRun | undefined): Promise<void> {
    const { task_id, epoch } = job;
    if (earlier) {
      if (earlier instanceof ClosedRun || epoch <= earlier.folder.epoch || earlier.reported.state !== 'accepted') {
        this.#options.log(
          `Job ${task_id}-${epoch} is refused: ${task_id}-${earlier.folder.epoch} is held (${earlier.reported.state}).`,
        );
        return;
      }
      await this.#delete(earlier, () => earlier.abandon());
    }
    const folder = new RunFolder(this.#options.folder, this.#options.context.workspaces, task_id, epoch);
    try {
      await folder.create(job, closeJob(job, job_key, this.#options.apps));
    } catch (error) {
      this.#options.log(`Job ${task_id}-${epoch} cannot be stored: ${String(error)}`);
      await folder.remove().catch(() => undefined);
      const isFull = error instanceof Error && 'code' in error && ['ENOSPC', 'EDQUOT'].includes(String(error.code));
      const why = isFull ? DISK_FULL : 'The job could not be written to the disk of the runner.';
      const end_reason: EndReason = isFull
        ? { code: 'disk.full', params: {} }
        : {
            code: 'runner.refused',
            params: ownDetail('job_not_written', 'the job could not be written to the disk of the runner'),
          };
      this.#options.send({ type: 'refused', task_id, epoch, why, end_reason });
      return;
    }
    this.#runs.set(task_id, new Run(folder, job, this.#options.apps.secretsOf(job), this.#context()));
    this.#options.send({ type: 'accepted', task_id, epoch });
    this.#options.onAccepted();
    this.#options.onChange();
  }

  async #delete(run: Run | ClosedRun, work: () => Promise<void>): Promise<void> {
    // The next process of the runner tries again to remove what could not be removed.
    await work().catch((error) => this.#logNotRemoved(run.folder, error));
    if (this.#runs.get(run.folder.task_id) === run) this.#runs.delete(run.folder.task_id);
    this.#options.onChange();
  }

  #logNotRemoved(folder: RunFolder, error: unknown): void {
    this.#options.log(`The run ${folder.task_id}-${folder.epoch} cannot be removed: ${String(error)}`);
  }

  #context(): RunContext {
    const { context, apps, environments, supervisors, send, log, orphanedLogs, onChange } = this.#options;
    const pace = this.#pace;
    return { context, apps, environments, supervisors, pace, send, log, orphanedLogs, onChange };
  }
}
