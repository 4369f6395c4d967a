import { expect, it } from 'vitest';
import { describeEachDatabase } from '../../testing/database/databases.ts';
import { queueWithHosts } from '../../testing/database/host-lock-queue.ts';
import { hostNames } from '../../testing/database/queue.ts';
import { lockReasons } from './lock-reasons.ts';

const reasonOf = async (queue: Awaited<ReturnType<typeof queueWithHosts>>, id: number) =>
  (await lockReasons({ db: queue.database.read, hostNames, expectedEnd: async () => null }, [id], new Set())).get(id);

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
      params: { host: 'web2', others: 1, hosts: 'web2, web3', id: first },
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

  it('[S6] compare a name that contains a secret of one task with the same name of another task', async () => {
    const queue = await queueWithHosts(makeLocation);
    const { wait, finish, claim } = queue;
    const first = await wait({ hosts: ['db1', 'web1'], secret: ['web1'] });
    const plain = await wait({ hosts: ['db2', 'web1'] });
    const last = await wait({ hosts: ['db2', 'web1'], secret: ['db2'] });
    expect(await claim()).toEqual([first]);
    const masked = { host: '****', others: 0, hosts: '****' };
    expect(await reasonOf(queue, plain)).toMatchObject({ code: 'host_held', params: { ...masked, id: first } });
    await finish(first);
    expect(await claim()).toEqual([plain]);
    expect(await reasonOf(queue, last)).toMatchObject({
      code: 'host_held',
      params: { others: 1, hosts: expect.stringMatching(/^(\*{4}, web1|web1, \*{4})$/), id: plain },
    });
    await finish(plain);
    expect(await claim()).toEqual([last]);
  });

  it('do not let a task start before its hosts are known', async () => {
    const { wait, know, claim, otherTemplate } = await queueWithHosts(makeLocation);
    const unknown = await wait({});
    const later = await wait({ hosts: ['web1'], template: await otherTemplate() });
    expect(await claim()).toEqual([later]);
    await know(unknown, ['web2']);
    expect(await claim()).toEqual([unknown]);
  });

  it('are not given to a task before an earlier one of its template whose hosts are not known', async () => {
    const queue = await queueWithHosts(makeLocation);
    const { wait, know, finish, claim } = queue;
    const check = await wait({ dryRun: true });
    const otherCheck = await wait({ hosts: ['web2'], dryRun: true });
    expect(await claim()).toEqual([otherCheck]);
    const first = await wait({});
    const second = await wait({ hosts: ['web1'] });
    const urgent = await wait({ hosts: ['web3'], priority: 5 });
    expect(await claim()).toEqual([urgent]);
    expect(await reasonOf(queue, second)).toMatchObject({ code: 'hosts_unknown_ahead', params: { id: check } });
    await know(check, ['db1']);
    expect(await claim()).toEqual([check]);
    expect(await reasonOf(queue, second)).toMatchObject({ code: 'hosts_unknown_ahead', params: { id: first } });
    await know(first, ['web1']);
    expect(await claim()).toEqual([first]);
    await finish(first);
    expect(await claim()).toEqual([second]);
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
