import { sql } from 'kysely';
import { type StateReader, stateOf } from '../../database/database.ts';
import { MASKED_HOST } from '../../secrets/host-names.ts';
import { countsAgainstLimits } from './counted-tasks.ts';
import { type ComparedNames, HostNumbers } from './host-numbers.ts';
import type { HeldLock, LockOrder, MissingLock } from './locks.ts';
import { UNCLAIMED, waitsForNone } from './waiting-needs.ts';

/** A waiting task that wants locks. */
export interface WantingTask {
  readonly task_id: number;
  readonly project_id: number;
  readonly template_id: number;
  readonly priority: number;
  readonly lock_hosts: number;
  readonly locks: string;
  readonly runner_tags: string;
  readonly project_tags: string;
}

interface LockedHosts {
  readonly task_id: number;
  readonly project_id: number;
  readonly digest: string;
  readonly shared: number;
}

/** A waiting task that wants hosts. */
export type HostTask = WantingTask & LockedHosts;

/** Maximum number of waiting tasks whose hosts are compared. Tasks that come later wait until earlier ones have started. */
const MAX_WANTED = 1000;

/** What comparing locks needs. */
export interface LockDeps {
  readonly db: StateReader;
  readonly hostNames: ComparedNames;
}

/** The lists that this process has read. A list is never changed: it is found by the digest of its hosts. */
let current = new HostNumbers();

/** Whether a task locks hosts. Without one, a claim compares none. */
export const areThereHostLocks = async (db: StateReader): Promise<boolean> =>
  (await db.selectFrom('task_hosts').select('task_id').limit(1).executeTakeFirst()) !== undefined;

/** The tasks that run or are leased and lock hosts, the oldest first. */
export const heldHosts = async (db: StateReader): Promise<readonly (LockedHosts & HeldLock)[]> => {
  const { rows } = await sql<LockedHosts & HeldLock>`
    select task_hosts.task_id, task_hosts.project_id, task_hosts.digest, task_hosts.shared,
      other.template_id, other.start_time
    from task other join task_hosts on task_hosts.task_id = other.id
    where ${countsAgainstLimits('other')} order by other.id`.execute(stateOf(db));
  return rows;
};

/** The waiting tasks whose hosts are known, or not known yet, in the order in which they get them. */
export const wantedHosts = async (
  db: StateReader,
  order: LockOrder,
  which: 'listed' | 'unlisted',
): Promise<readonly HostTask[]> => {
  const { rows } = await sql<HostTask>`
    select waiting.id as task_id, task_hosts.project_id, task_hosts.digest, task_hosts.shared,
      waiting.template_id, waiting.priority, waiting.lock_hosts, waiting.locks,
      waiting.runner_tags, project.runner_tags as project_tags
    from task_hosts
    join task waiting on waiting.id = task_hosts.task_id
    join project on project.id = waiting.project_id
    where ${which === 'listed' ? sql`task_hosts.digest <> ''` : sql`task_hosts.digest = ''`}
      and ${UNCLAIMED} and ${waitsForNone('waiting')}
    order by ${order === 'priority' ? sql`waiting.priority desc,` : sql``} waiting.id
    limit ${MAX_WANTED}`.execute(stateOf(db));
  return rows;
};

/** Maximum number of hosts that the reason names why a task waits. */
const MAX_NAMED = 3;

/** How a host is taken: not at all, by tasks in check mode, or by one task alone. Ordered, so that a task compares numbers. */
const FREE = 0;
const SHARED = 1;
const ALONE = 2;

/** Which task takes each host, at one point in the order of the waiting tasks. Typed arrays, because a claim compares hundreds of thousands of hosts. */
export class TakenHosts {
  readonly #takers: { readonly by: MissingLock['by']; readonly task: LockedHosts }[] = [];
  readonly #states: Uint8Array;
  /** The index of the taker of each host that is not free. */
  readonly #byHost: Int32Array;
  readonly #numbers: HostNumbers;
  /** Tasks that ended before their hosts were read. */
  readonly #ended: ReadonlySet<number>;

  private constructor(numbers: HostNumbers, ended: ReadonlySet<number>) {
    this.#numbers = numbers;
    this.#ended = ended;
    this.#states = new Uint8Array(numbers.size);
    this.#byHost = new Int32Array(numbers.size);
  }

  /** Reads the lists of these tasks that this process does not know yet. */
  static async of({ db, hostNames }: LockDeps, tasks: readonly LockedHosts[]): Promise<TakenHosts> {
    if (current.isFull) current = new HostNumbers();
    const numbers = current;
    const ended = await numbers.add(tasks, hostNames, async (ids) => {
      const rows = db.selectFrom('task_hosts').select(['task_id', 'hosts']).where('task_id', 'in', ids);
      return new Map((await rows.execute()).map(({ task_id, hosts }) => [task_id, JSON.parse(hosts) as string[]]));
    });
    return new TakenHosts(numbers, ended);
  }

  /** A task takes its hosts, unless another one has taken them without sharing. */
  take(task: LockedHosts, by: MissingLock['by']): void {
    if (this.#ended.has(task.task_id)) return;
    const taker = this.#takers.push({ by, task }) - 1;
    const state = task.shared === 1 ? SHARED : ALONE;
    const [states, byHost, list] = [this.#states, this.#byHost, this.#numbers.listOf(task)];
    for (let at = 0; at < list.length; at += 1) {
      const host = list[at] ?? 0;
      if ((states[host] ?? FREE) >= state) continue;
      states[host] = state;
      byHost[host] = taker;
    }
  }

  /** Whether a task cannot have one of its hosts. A task that has ended can have none. */
  isMissing(task: LockedHosts): boolean {
    if (this.#ended.has(task.task_id)) return true;
    const permitted = task.shared === 1 ? SHARED : FREE;
    const states = this.#states;
    return this.#numbers.listOf(task).some((host) => (states[host] ?? FREE) > permitted);
  }

  /** The first task that has taken hosts that this task cannot have, a running one first; undefined if it can have all. */
  conflict(task: LockedHosts): MissingLock | undefined {
    if (this.#ended.has(task.task_id) || !this.isMissing(task)) return undefined;
    const counts = new Int32Array(this.#takers.length);
    const firsts = new Int32Array(this.#takers.length * MAX_NAMED);
    const permitted = task.shared === 1 ? SHARED : FREE;
    const [states, byHost, list] = [this.#states, this.#byHost, this.#numbers.listOf(task)];
    for (let at = 0; at < list.length; at += 1) {
      const host = list[at] ?? 0;
      if ((states[host] ?? FREE) <= permitted) continue;
      const taker = byHost[host] ?? 0;
      const before = counts[taker] ?? 0;
      if (before < MAX_NAMED) firsts[taker * MAX_NAMED + before] = host;
      counts[taker] = before + 1;
    }
    const found = this.#takers.flatMap(({ by, task: other }, taker) => {
      const count = counts[taker] ?? 0;
      if (count === 0) return [];
      const named = firsts.subarray(taker * MAX_NAMED, taker * MAX_NAMED + Math.min(count, MAX_NAMED));
      const isHidden = (host: number): boolean => [task, other].some((one) => this.#numbers.isHidden(one, host));
      const hosts = Array.from(named, (host) => (isHidden(host) ? MASKED_HOST : this.#numbers.nameOf(host)));
      return [{ name: hosts[0] ?? '', hosts, others: count - 1, by }];
    });
    return found.find(({ by }) => 'start_time' in by) ?? found[0];
  }
}
