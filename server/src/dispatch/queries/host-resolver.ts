import { createHash } from 'node:crypto';
import type { EndReason } from '@signalbox/contract';
import type { JobSpec } from '@signalbox/contract/link';
import { type SqlBool, sql } from 'kysely';
import { SYSTEM } from '../../audit/record-event.ts';
import type { Clock } from '../../clock.ts';
import { type Database, type StateTransaction, stateOf } from '../../database/database.ts';
import type { HostNames } from '../../secrets/host-names.ts';
import { WorkerLoop } from '../../worker-loop.ts';
import { asJobError } from '../claim/job-error.ts';
import { readRules } from '../claim/runner-rules.ts';
import { UNCLAIMED, waitsForNone } from '../claim/waiting-needs.ts';
import type { RunRecorder } from '../session/run-recorder.ts';
import type { QueryService } from './query-service.ts';

export interface HostResolverDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly queryService: Pick<QueryService, 'ask'>;
  readonly readJob: (taskId: number) => Promise<JobSpec>;
  readonly hostNames: Pick<HostNames, 'stored'>;
  readonly recorder: Pick<RunRecorder, 'applyIf' | 'end'>;
  /** Called when the hosts of a waiting task are known. */
  readonly onKnown: () => void;
  readonly onError: (error: unknown) => void;
}

interface Unresolved {
  readonly id: number;
  readonly epoch: number;
  readonly project_id: number;
  readonly runner_tags: string;
  readonly inventory_id: number | null;
}

/** Time between two polls, in milliseconds. */
const POLL_MS = 1_000;
/** Time after which another server may list the hosts, because the first one was killed. */
const ABANDONED_MS = 15_000;
/** Time between two renewals of the open attempts of a server. */
const RENEWAL_MS = 5_000;
/** An attempt that is due later than this was begun before the clock was set back. */
const MAX_AHEAD_MS = 120_000;
/** Time until the next attempt when no runner has answered, in milliseconds. */
const RETRY_MS = 5_000;
/** Number of leases that end without an answer until the task ends. */
const MAX_EXPIRED = 2;
/** Maximum number of tasks whose hosts one server lists at once. */
const AT_ONCE = 4;

const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64');

/**
 * Makes runners list the hosts of waiting tasks that lock them. A claim gives such a task to a runner only when its hosts are
 * known.
 */
export class HostResolver {
  readonly #deps: HostResolverDeps;
  readonly #loop: WorkerLoop;
  readonly #open = new Map<number, { readonly done: Promise<void>; readonly stop: AbortController }>();
  /** How many leases of a task have ended without an answer. */
  readonly #expired = new Map<number, number>();
  /** When the open attempts were renewed last, on the monotonic clock. */
  #renewed = 0;

  constructor(deps: HostResolverDeps) {
    this.#deps = deps;
    this.#loop = new WorkerLoop({ work: () => this.#poll(), everyMs: POLL_MS, onError: deps.onError });
  }

  async start(): Promise<void> {
    const { database } = this.#deps;
    // No other server uses the database, so an attempt that was begun has ended.
    if (!database.capabilities.isShared)
      await database.autocommit.updateTable('task_hosts').set({ next_attempt: '' }).where('digest', '=', '').execute();
    this.#loop.start();
  }

  /** Begins no further attempt. */
  stop = (): Promise<void> => this.#loop.stop();

  /** Resolves when every attempt has ended. The links must be closed before. */
  async idle(): Promise<void> {
    await Promise.allSettled([...this.#open.values()].map(({ done }) => done));
  }

  #later = (ms: number): string => new Date(this.#deps.clock.now().getTime() + ms).toISOString();

  async #poll(): Promise<undefined> {
    const { database, onError } = this.#deps;
    await this.#cancelEnded();
    await this.#renew();
    if (this.#open.size >= AT_ONCE) return undefined;
    const tasks = await sql<Unresolved>`
      select waiting.id, waiting.epoch, waiting.project_id, waiting.runner_tags, waiting.inventory_id
      from task_hosts join task waiting on waiting.id = task_hosts.task_id
      where task_hosts.digest = '' and ${this.#isDue}
        and ${UNCLAIMED} and ${waitsForNone('waiting')}
      order by waiting.priority desc, waiting.id limit ${AT_ONCE - this.#open.size}`.execute(stateOf(database.read));
    for (const task of tasks.rows) {
      const begun = await this.#begin(task.id);
      if (!begun) continue;
      const stop = new AbortController();
      const done = this.#resolve(task, stop.signal)
        .catch(onError)
        .finally(() => {
          this.#open.delete(task.id);
          this.#loop.wake();
        });
      this.#open.set(task.id, { done, stop });
    }
    return undefined;
  }

  /** Ends the queries of tasks that have ended, also if another server stopped them. */
  async #cancelEnded(): Promise<void> {
    const ids = [...new Set([...this.#open.keys(), ...this.#expired.keys()])];
    if (ids.length === 0) return;
    const rows = this.#deps.database.read.selectFrom('task_hosts').select('task_id').where('task_id', 'in', ids);
    const waiting = new Set((await rows.execute()).map(({ task_id }) => task_id));
    for (const id of ids.filter((one) => !waiting.has(one))) {
      this.#open.get(id)?.stop.abort();
      this.#expired.delete(id);
    }
  }

  get #isDue() {
    const [now, ahead] = [this.#later(0), this.#later(MAX_AHEAD_MS)];
    return sql<SqlBool>`(task_hosts.next_attempt < ${now} or task_hosts.next_attempt > ${ahead})`;
  }

  /** Keeps other servers from beginning the attempts that this server makes. */
  async #renew(): Promise<void> {
    const { database, clock } = this.#deps;
    if (this.#open.size === 0 || clock.monotonic() < this.#renewed + RENEWAL_MS) return;
    this.#renewed = clock.monotonic();
    await database.autocommit
      .updateTable('task_hosts')
      .set({ next_attempt: this.#later(ABANDONED_MS) })
      .where('task_id', 'in', [...this.#open.keys()])
      .where('digest', '=', '')
      .execute();
  }

  /** Only one server begins an attempt. */
  async #begin(taskId: number): Promise<boolean> {
    const { numUpdatedRows } = await this.#deps.database.autocommit
      .updateTable('task_hosts')
      .set({ next_attempt: this.#later(ABANDONED_MS) })
      .where('task_id', '=', taskId)
      .where('digest', '=', '')
      .where(this.#isDue)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }

  /** The runners that could run a task. */
  async #runnersFor({ runner_tags }: Unresolved): Promise<ReadonlySet<number>> {
    const needs = JSON.parse(runner_tags) as string[];
    const rules = await readRules(this.#deps.database.read);
    const able = [...rules.values()].filter(
      ({ paused, draining, abilities }) => !paused && !draining && needs.every((need) => abilities.includes(need)),
    );
    return new Set(able.map(({ id }) => id));
  }

  async #resolve(task: Unresolved, signal: AbortSignal): Promise<void> {
    const { queryService, readJob } = this.#deps;
    const request = {
      ask: 'run_hosts',
      projectId: task.project_id,
      actor: SYSTEM,
      about: { type: 'inventory', id: task.inventory_id },
      runners: await this.#runnersFor(task),
      signal,
    } as const;
    let job: JobSpec;
    try {
      job = await readJob(task.id);
    } catch (error) {
      const { message, endReason } = asJobError(error);
      return await this.#refuse(task, message, endReason);
    }
    const answer = await queryService.ask(request, async () => ({ ask: 'run_hosts', job }));
    await this.#use(task, answer);
  }

  /** @returns whether the leases of a task have ended too often */
  #expire(taskId: number): boolean {
    const times = (this.#expired.get(taskId) ?? 0) + 1;
    this.#expired.set(taskId, times);
    return times >= MAX_EXPIRED;
  }

  async #use(task: Unresolved, answer: Awaited<ReturnType<QueryService['ask']>>): Promise<void> {
    const { database, hostNames, onKnown } = this.#deps;
    // Another server can have stored the hosts since, and the task can run with them.
    const change = database.autocommit
      .updateTable('task_hosts')
      .where('task_id', '=', task.id)
      .where('digest', '=', '');
    if (answer === 'timed_out' && this.#expire(task.id))
      return await this.#fail(task, 'listing the hosts took too long');
    if (answer === undefined || answer === 'not_permitted' || answer === 'timed_out')
      return void (await change.set({ next_attempt: this.#later(RETRY_MS) }).execute());
    if (answer.ask === 'refused') return await this.#fail(task, answer.error.slice(0, 250).replace(/\.$/, ''));
    if (answer.ask !== 'run_hosts') return;
    const stored = hostNames.stored(task.project_id, answer.hosts, answer.secret_hosts ?? []);
    const hosts = JSON.stringify(stored);
    await change.set({ hosts, digest: digestOf(hosts), commit_hash: answer.commit }).execute();
    onKnown();
  }

  #fail(task: Unresolved, detail: string): Promise<void> {
    const message = `The hosts of the run could not be listed: ${detail}.`;
    return this.#refuse(task, message, { code: 'hosts.unresolved', params: { detail } });
  }

  /** Ends a task that cannot run, unless another server has stored its hosts. */
  async #refuse({ id, epoch, project_id }: Unresolved, message: string, reason: EndReason): Promise<void> {
    const { recorder } = this.#deps;
    const isUnknown = async (tx: StateTransaction): Promise<boolean> => {
      // A change locks the row, so no other server can store hosts before the task is taken.
      const { numUpdatedRows } = await tx
        .updateTable('task_hosts')
        .set({ next_attempt: this.#later(ABANDONED_MS) })
        .where('task_id', '=', id)
        .where('digest', '=', '')
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    };
    if (await recorder.applyIf(isUnknown, id, 'accepted', epoch))
      await recorder.end(project_id, id, 'failed', epoch, message, reason);
  }
}
