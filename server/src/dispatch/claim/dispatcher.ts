import { AppName, type InstalledApp } from '@signalbox/contract';
import type { JobSpec } from '@signalbox/contract/link';
import type { Database } from '../../database/database.ts';
import type { RunKeys } from '../../secrets/run-keys.store.ts';
import { WorkerLoop } from '../../worker-loop.ts';
import { FORCED, unreachableStop } from '../leases/end-without-runner.ts';
import type { RunRecorder, TaskRow } from '../session/run-recorder.ts';
import type { ConnectedRunner } from '../session/runner-hub.ts';
import { type Claim, claimTasks, isLeased, releaseLease } from './claim.ts';
import type { ComparedNames } from './host-numbers.ts';
import { asJobError, JobError } from './job-error.ts';
import { hasTaskFor, type RunnerRules, readRules } from './runner-rules.ts';
import { type Need, needsMet, waitingNeeds } from './waiting-needs.ts';

export interface DispatcherDeps {
  readonly database: Database;
  readonly systemLimit: number;
  readonly hostNames: ComparedNames;
  readonly recorder: RunRecorder;
  readonly readJob: (taskId: number) => Promise<JobSpec>;
  /** Stores the arguments of the template and digests of what a run is given. */
  readonly storeInputDigests: (job: JobSpec) => Promise<void>;
  readonly runKeys: RunKeys;
  readonly runners: () => readonly ConnectedRunner[];
  readonly onError: (error: unknown) => void;
}

/** The apps of a runner that this server knows. */
const namesOfApps = (apps: readonly InstalledApp[]): AppName[] =>
  AppName.options.filter((name) => apps.some((app) => app.name === name));

/** Maximum time between two polls, in milliseconds, because a wake-up may be lost. */
const POLL_MS = 1000;

/**
 * Assigns waiting tasks to free slots of runners. Woken by every event that may free capacity or add work, so a task
 * starts without waiting for the next poll.
 */
export class Dispatcher {
  readonly #deps: DispatcherDeps;
  readonly #loop: WorkerLoop;

  constructor(deps: DispatcherDeps) {
    this.#deps = deps;
    this.#loop = new WorkerLoop({ work: () => this.#poll(), everyMs: POLL_MS, onError: deps.onError });
  }

  start(): void {
    this.#loop.start();
  }

  /** After this resolves, no further task is assigned. */
  async stop(): Promise<void> {
    await this.#loop.stop();
  }

  /** Polls soon. Calls during a poll lead to one more poll. */
  wake(): void {
    this.#loop.wake();
  }

  async #poll(): Promise<undefined> {
    const { database, systemLimit, hostNames } = this.#deps;
    // Reads few rows of an index, so that a system takes no lock while no runner can take a waiting task.
    const needs = await waitingNeeds(database.read);
    if (needs.length === 0) return undefined;
    const rules = await readRules(database.read);
    for (const runner of this.#deps.runners()) {
      const apps = namesOfApps(runner.apps);
      if (!(await this.#mayTake(runner, rules.get(runner.id), apps, needs))) continue;
      const { id: runnerId, tokenHash, slots } = runner;
      const claims = await claimTasks(database, { runnerId, tokenHash, slots, apps, systemLimit, hostNames });
      for (const claim of claims) runner.session.hold(claim);
      await Promise.all(claims.map((claim) => this.#give(runner, claim).catch(this.#deps.onError)));
    }
    return undefined;
  }

  /** Whether a claim for this runner may find a task. */
  async #mayTake(
    runner: ConnectedRunner,
    rules: RunnerRules | undefined,
    apps: readonly string[],
    needs: readonly Need[],
  ): Promise<boolean> {
    if (!rules || runner.draining || rules.paused || rules.draining) return false;
    return await hasTaskFor(this.#deps.database.read, rules, needsMet(needs, { apps, abilities: rules.abilities }));
  }

  async #give(runner: ConnectedRunner, claim: Claim): Promise<void> {
    try {
      const job = await this.#deps.readJob(claim.id);
      // The task was stopped or leased again while the job was being read. This runner must not get the job with its secrets.
      if (job.epoch !== claim.epoch || !(await isLeased(this.#deps.database, claim)))
        return runner.session.letGo(claim.id);
      runner.send({ type: 'job', job, job_key: this.#deps.runKeys(claim.id, claim.epoch) });
      // Afterwards, because the run need not wait for it.
      await this.#deps.storeInputDigests(job).catch(this.#deps.onError);
    } catch (error) {
      const { database, onError } = this.#deps;
      if (!(error instanceof JobError)) onError(error);
      // A database that is unavailable for a moment is no reason to refuse the task.
      if (!database.capabilities.isUnavailable(error)) return await this.#refuse(runner, claim, asJobError(error));
      runner.session.letGo(claim.id);
      await releaseLease(database, claim.id, claim.epoch);
    }
  }

  /**
   * A job that cannot be built will fail the next time too. The task ends with the reason instead of waiting forever.
   */
  async #refuse(runner: ConnectedRunner, claim: Claim, { message, endReason }: JobError): Promise<void> {
    const { recorder, database } = this.#deps;
    runner.session.letGo(claim.id);
    if (await recorder.apply(claim.id, 'accepted', claim.epoch)) {
      await recorder.end(claim.project_id, claim.id, 'failed', claim.epoch, message, endReason);
    } else await releaseLease(database, claim.id, claim.epoch);
  }

  /**
   * Asks the runner of a task to stop it. If the runner is known to be unreachable, a forced stop ends the task at
   * once, and later messages of the runner about it are ignored. If the runner is linked to another server, that one
   * passes the stop on.
   */
  async stopTask(task: TaskRow, force: boolean): Promise<void> {
    const isPassedOn = this.passStop(task, force);
    if (!isPassedOn && task.status === 'stopping' && force && (await this.#isUnreachable(task))) {
      const { recorder } = this.#deps;
      await recorder.end(task.project_id, task.id, 'stopped', task.epoch, FORCED, unreachableStop(task));
    }
    this.wake();
  }

  /**
   * Sends a stop to the runner that has the task, or withdraws a task that the runner has not accepted.
   * @returns false if no runner with a link to this server has it
   */
  passStop(task: TaskRow, force: boolean): boolean {
    const holder = this.#deps.runners().find((runner) => runner.session.holds(task.id));
    if (holder && task.status === 'stopping') holder.send({ type: 'stop', task_id: task.id, epoch: task.epoch, force });
    else if (holder) {
      holder.session.letGo(task.id);
      holder.send({ type: 'abandon', task_id: task.id, epoch: task.epoch });
    }
    return holder !== undefined;
  }

  async #isUnreachable({ runner_id }: TaskRow): Promise<boolean> {
    const runner = await this.#deps.database.read
      .selectFrom('runner')
      .select('unreachable_since')
      .where('id', '=', runner_id)
      .executeTakeFirst();
    return runner?.unreachable_since != null;
  }
}
