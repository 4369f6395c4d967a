import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { storeLocks } from '../../features/tasks/launch/task-locks.ts';
import { applyEvent } from '../../features/tasks/task-transition.ts';
import { describeEachDatabase, type MakeLocation } from '../../testing/database/databases.ts';
import { type Given, NOW, newQueue } from '../../testing/database/queue.ts';
import { claimTasks } from './claim.ts';
import { lockReasons } from './lock-reasons.ts';

interface Wanted extends Given {
  /** Undefined for hosts that are not known yet. */
  readonly hosts?: readonly string[];
  readonly locks?: readonly string[];
  readonly dryRun?: boolean;
}

const queueWithHosts = async (makeLocation: MakeLocation) => {
  const queue = await newQueue(makeLocation);
  const { database, project, template, row } = queue;
  const of = await project(0);
  const parallel = await template(of, true);
  const know = async (id: number, names: readonly string[]) => {
    const hosts = JSON.stringify(names.toSorted());
    const digest = createHash('sha256').update(hosts).digest('base64');
    await database.autocommit.updateTable('task_hosts').set({ hosts, digest }).where('task_id', '=', id).execute();
  };
  /** Lets a task that locks hosts wait. */
  const wait = async ({ hosts, locks = [], dryRun = false, ...given }: Wanted): Promise<number> => {
    const values = {
      ...row(of, parallel, given),
      dry_run: dryRun ? (1 as const) : (0 as const),
      lock_hosts: 1 as const,
    };
    const id = await database.write(async (tx) => {
      const columns = { ...values, locks: JSON.stringify(locks) };
      const task = await tx.insertInto('task').values(columns).returningAll().executeTakeFirstOrThrow();
      await storeLocks(tx, task, locks);
      return task.id;
    });
    if (hosts) await know(id, hosts);
    return id;
  };
  const finish = async (id: number) => {
    await database.autocommit.updateTable('task').set({ status: 'running' }).where('id', '=', id).execute();
    await applyEvent(database.autocommit, id, 'succeeded', new Date(NOW));
  };
  const one = { ...(await queue.runner('a', 10)), systemLimit: 0 };
  const claim = async () => (await claimTasks(database, one)).map(({ id }) => id);
  return { ...queue, wait, know, finish, claim };
};

const reasonOf = async (queue: Awaited<ReturnType<typeof queueWithHosts>>, id: number) =>
  (await lockReasons(queue.database.read, [id], new Set(), async () => null)).get(id);

describeEachDatabase('locks on hosts', (makeLocation) => {
  it('let one task run on a host at a time, in the order of the queue', async () => {
    const queue = await queueWithHosts(makeLocation);
    const { wait, finish, claim } = queue;
    const first = await wait({ hosts: ['web1', 'web2', 'web3'] });
    const second = await wait({ hosts: ['db1', 'web2', 'web3'] });
    const third = await wait({ hosts: ['db1'] });
    const free = await wait({ hosts: ['cache1'] });
    expect(await claim()).toEqual([first, free]);
    expect(await reasonOf(queue, second)).toMatchObject({
      code: 'host_held',
      params: { host: 'web2', others: 1, id: first },
    });
    expect(await reasonOf(queue, third)).toMatchObject({
      code: 'host_ahead',
      params: { host: 'db1', others: 0, id: second },
    });
    await finish(first);
    expect(await claim()).toEqual([second]);
    await finish(second);
    expect(await claim()).toEqual([third]);
    const stored = await queue.database.read.selectFrom('task_hosts').select('task_id').execute();
    expect(stored.map(({ task_id }) => task_id)).toEqual([third, free]);
  });

  it('do not let a task start before its hosts are known', async () => {
    const { wait, know, claim } = await queueWithHosts(makeLocation);
    const unknown = await wait({});
    const later = await wait({ hosts: ['web1'] });
    expect(await claim()).toEqual([later]);
    await know(unknown, ['web2']);
    expect(await claim()).toEqual([unknown]);
  });

  it('are shared by tasks in check mode, which exclude others', async () => {
    const { wait, finish, claim } = await queueWithHosts(makeLocation);
    const checks = [await wait({ hosts: ['web1'], dryRun: true }), await wait({ hosts: ['web1'], dryRun: true })];
    const run = await wait({ hosts: ['web1'] });
    const later = await wait({ hosts: ['web1'], dryRun: true });
    expect(await claim()).toEqual(checks);
    for (const id of checks) await finish(id);
    expect(await claim()).toEqual([run]);
    await finish(run);
    expect(await claim()).toEqual([later]);
  });

  it('are taken together with locks by name', async () => {
    const { wait, finish, claim } = await queueWithHosts(makeLocation);
    const first = await wait({ hosts: ['web1'], locks: ['release'] });
    const both = await wait({ hosts: ['web2'], locks: ['release'] });
    const host = await wait({ hosts: ['web2'] });
    expect(await claim()).toEqual([first]);
    await finish(first);
    expect(await claim()).toEqual([both]);
    await finish(both);
    expect(await claim()).toEqual([host]);
  });
});
