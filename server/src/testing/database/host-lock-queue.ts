import { createHash } from 'node:crypto';
import { claimTasks } from '../../dispatch/claim/claim.ts';
import { storeLocks } from '../../features/tasks/launch/task-locks.ts';
import { applyEvent } from '../../features/tasks/task-transition.ts';
import type { MakeLocation } from './databases.ts';
import { type Given, hostNames, NOW, newQueue } from './queue.ts';

interface Wanted extends Given {
  /** Undefined for hosts that are not known yet. */
  readonly hosts?: readonly string[];
  /** Those of them whose names contain a secret of the task. */
  readonly secret?: readonly string[];
  readonly locks?: readonly string[];
  /** Default: true. */
  readonly locksHosts?: boolean;
  readonly dryRun?: boolean;
  /** Default: the template of all other tasks. */
  readonly template?: number;
}

/** A queue of tasks that lock hosts. */
export const queueWithHosts = async (makeLocation: MakeLocation) => {
  const queue = await newQueue(makeLocation);
  const { database, project, template, row } = queue;
  const of = await project(0);
  const parallel = await template(of, true);
  const know = async (id: number, names: readonly string[], secret: readonly string[] = []) => {
    const hosts = JSON.stringify(hostNames.stored(of.id, names, secret));
    const digest = createHash('sha256').update(hosts).digest('base64');
    await database.autocommit.updateTable('task_hosts').set({ hosts, digest }).where('task_id', '=', id).execute();
  };
  /** Lets a task wait. */
  const wait = async ({
    hosts,
    secret,
    locks = [],
    locksHosts = true,
    dryRun = false,
    template: own = parallel,
    ...given
  }: Wanted): Promise<number> => {
    const values = {
      ...row(of, own, given),
      dry_run: dryRun ? (1 as const) : (0 as const),
      lock_hosts: locksHosts ? (1 as const) : (0 as const),
    };
    const id = await database.write(async (tx) => {
      const columns = { ...values, locks: JSON.stringify(locks) };
      const task = await tx.insertInto('task').values(columns).returningAll().executeTakeFirstOrThrow();
      await storeLocks(tx, task, locks);
      return task.id;
    });
    if (hosts) await know(id, hosts, secret);
    return id;
  };
  const finish = async (id: number) => {
    await database.autocommit.updateTable('task').set({ status: 'running' }).where('id', '=', id).execute();
    await applyEvent(database.autocommit, id, 'succeeded', new Date(NOW));
  };
  const one = { ...(await queue.runner('a', 10)), systemLimit: 0 };
  const claim = async () => (await claimTasks(database, one)).map(({ id }) => id);
  const few = { ...(await queue.runner('b', 1)), systemLimit: 0 };
  const claimOne = async () => (await claimTasks(database, few)).map(({ id }) => id);
  const otherTemplate = () => template(of, true);
  return { ...queue, otherTemplate, wait, know, finish, claim, claimOne };
};
