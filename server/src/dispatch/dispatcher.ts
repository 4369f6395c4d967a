import { AppName, type InstalledApp } from '@signalbox/contract';
import type { JobSpec } from '@signalbox/contract/link';
import type { Database } from '../database/database.ts';
import type { SealKeys } from '../secrets/seal-keys.store.ts';
import { WorkerLoop } from '../worker-loop.ts';
import { type Claim, claimTasks, releaseLease } from './claim.ts';
import { FORCED, unreachableStop } from './end-without-runner.ts';
import { HELD } from './held-tasks.ts';
import type { RunRecorder, TaskRow } from './run-recorder.ts';
import type { ConnectedRunner } from './runner-hub.ts';

export interface DispatcherNeeds {
  readonly database: Database;
  readonly systemLimit: number;
  readonly recorder: RunRecorder;
  readonly readOrder: (taskId: number) => Promise<JobSpec>;
  readonly sealKeys: SealKeys;
  readonly runners: () => readonly ConnectedRunner[];
  readonly onError: (error: unknown) => void;
}

/** The apps of a runner that this server knows. */
const namesOfApps = (apps: readonly InstalledApp[]): AppName[] =>
  AppName.options.filter((name) => apps.some((app) => app.name === name));

/** However quiet it is, we look so often: a wake-up can be lost. */
const LOOK_MS = 1000;

/** From waiting to a runner's slot. Woken by whatever may have made room or work, so that a start takes no tick. */
export class Dispatcher {
  readonly #needs: DispatcherNeeds;
  readonly #loop: WorkerLoop;

  constructor(needs: DispatcherNeeds) {
    this.#needs = needs;
    this.#loop = new WorkerLoop({ work: () => this.#look(), everyMs: LOOK_MS, onError: needs.onError });
  }

  start(): void {
    this.#loop.start();
  }

  /** No further task is given to a runner once this resolves. */
  async stop(): Promise<void> {
    await this.#loop.stop();
  }

  /** Looks for work soon; calls while a look is under way lead to one more look. */
  wake(): void {
    this.#loop.wake();
  }

  async #look(): Promise<undefined> {
    const { database, systemLimit } = this.#needs;
    for (const runner of this.#needs.runners()) {
      const apps = namesOfApps(runner.apps);
      if (runner.draining || !(await this.#hasWaiting(apps))) continue;
      const { id: runnerId, tokenHash, slots } = runner;
      const claims = await claimTasks(database, { runnerId, tokenHash, slots, apps, systemLimit });
      for (const claim of claims) runner.session.hold(claim);
      await Promise.all(claims.map((claim) => this.#give(runner, claim).catch(this.#needs.onError)));
    }
    return undefined;
  }

  /** Reads one row of an index, so that an idle system takes no lock. */
  async #hasWaiting(apps: readonly AppName[]): Promise<boolean> {
    if (apps.length === 0) return false;
    const row = await this.#needs.database.read
      .selectFrom('task')
      .select('id')
      .where('status', 'in', HELD)
      .where('status', '=', 'waiting')
      .where('runner_id', 'is', null)
      .where('app', 'in', apps)
      .limit(1)
      .executeTakeFirst();
    return row !== undefined;
  }

  async #give(runner: ConnectedRunner, claim: Claim): Promise<void> {
    try {
      const order = await this.#needs.readOrder(claim.id);
      // It was given to another meanwhile, whose order with its secrets this is.
      if (order.epoch !== claim.epoch) return runner.session.letGo(claim.id);
      runner.send({ type: 'order', order, seal_key: this.#needs.sealKeys(claim.id, claim.epoch) });
    } catch (error) {
      const { database, onError } = this.#needs;
      onError(error);
      // What a moment without the database kept back can be given once it is there again.
      if (!database.capabilities.isUnavailable(error)) return await this.#refuse(runner, claim);
      runner.session.letGo(claim.id);
      await releaseLease(database, claim.id, claim.epoch);
    }
  }

  /** An order that cannot be made will not be made the next time either: the task says so instead of waiting for ever. */
  async #refuse(runner: ConnectedRunner, claim: Claim): Promise<void> {
    const { recorder, database } = this.#needs;
    runner.session.letGo(claim.id);
    if (await recorder.apply(claim.id, 'accepted', claim.epoch)) {
      await recorder.end(
        claim.project_id,
        claim.id,
        'failed',
        claim.epoch,
        'The task could not be prepared: a key or an object that it needs cannot be read.',
        { code: 'job.unreadable', params: {} },
      );
    } else await releaseLease(database, claim.id, claim.epoch);
  }

  /**
   * Tells the runner that holds a task to end it. Where that is known to be unreachable, a forced stop frees the template
   * at once: whatever that runner says later comes too late. One that is merely not linked to this server may be to
   * another, which tells it with its next heartbeat.
   */
  async stopTask(task: TaskRow, force: boolean): Promise<void> {
    const holder = this.#needs.runners().find((runner) => runner.session.holds(task.id));
    if (holder && task.status === 'stopping') holder.send({ type: 'stop', task_id: task.id, epoch: task.epoch, force });
    else if (holder) {
      holder.session.letGo(task.id);
      holder.send({ type: 'drop', task_id: task.id, epoch: task.epoch });
    } else if (task.status === 'stopping' && force && (await this.#isUnreachable(task))) {
      const { recorder } = this.#needs;
      await recorder.end(task.project_id, task.id, 'stopped', task.epoch, FORCED, unreachableStop(task));
    }
    this.wake();
  }

  async #isUnreachable({ runner_id }: TaskRow): Promise<boolean> {
    const runner = await this.#needs.database.read
      .selectFrom('runner')
      .select('unreachable_since')
      .where('id', '=', runner_id)
      .executeTakeFirst();
    return runner?.unreachable_since != null;
  }
}
