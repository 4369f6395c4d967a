import { expect, it } from 'vitest';
import { describeEachDatabase, type TestLocation } from '../../testing/database/databases.ts';
import { hostLockProject, LISTED_COMMIT, listed } from '../../testing/host-lock-project.ts';
import { startTestServer } from '../../testing/test-server.ts';

const setUp = async (location: TestLocation) => {
  const server = await startTestServer(location);
  return await hostLockProject(server, await server.signIn());
};

describeEachDatabase('a task that locks the hosts of its run', (makeLocation) => {
  it('waits until a runner has listed them, and then runs with these hosts and the commit that was read', async () => {
    const { launch, read, connect, answer } = await setUp(await makeLocation());
    const task = await launch();
    expect(task).toMatchObject({ lock_hosts: true, waiting_reason: { code: 'no_runner' } });
    const runner = await connect();
    const { query, query_id } = await runner.receives('query');
    expect(query).toMatchObject({ ask: 'run_hosts', job: { task_id: task.id, locked_hosts: null } });
    expect((await read(task.id)).waiting_reason).toEqual({ code: 'hosts_unknown', params: {} });
    runner.send({ type: 'answer', query_id, answer: listed('db1', 'web1') });
    const { job } = await runner.receives('job');
    expect(job).toMatchObject({ task_id: task.id, locked_hosts: ['db1', 'web1'], commit: LISTED_COMMIT });
    const second = await launch();
    await answer(runner, listed('web1'));
    await expect
      .poll(async () => (await read(second.id)).waiting_reason)
      .toMatchObject({ code: 'host_held', params: { host: 'web1', others: 0, id: task.id } });
  });

  it('[S6] stores and shows no host name that contains a secret, and compares these names', async () => {
    const server = await startTestServer(await makeLocation());
    const { launch, read, connect, answer } = await hostLockProject(server, await server.signIn());
    const secret = { ...listed('db-hunter2'), secret_hosts: ['db-hunter2'] };
    const [task, second] = [await launch(), await launch()];
    const runner = await connect();
    await answer(runner, secret);
    await answer(runner, secret);
    expect((await runner.receives('job')).job).toMatchObject({ task_id: task.id, locked_hosts: ['db-hunter2'] });
    await expect
      .poll(async () => (await read(second.id)).waiting_reason)
      .toMatchObject({ code: 'host_held', params: { host: '****', others: 0, id: task.id } });
    const rows = await server.storage.database.read.selectFrom('task_hosts').selectAll().execute();
    expect(rows).toHaveLength(2);
    expect(JSON.stringify(rows)).not.toContain('hunter2');
  });

  it('ends with the reason if they cannot be listed', async () => {
    const { launch, read, connect, answer } = await setUp(await makeLocation());
    const task = await launch();
    await answer(await connect(), { ask: 'refused', error: 'The playbook is not valid.' });
    await expect
      .poll(async () => await read(task.id))
      .toMatchObject({
        status: 'error',
        end_reason: { code: 'hosts.unresolved', params: { detail: 'The playbook is not valid' } },
      });
  });

  it('locks only the hosts of its limit when it is run again on some of them', async () => {
    const { launch, connect, answer } = await setUp(await makeLocation());
    const runner = await connect();
    const first = await launch({ limit: 'db1' });
    expect(await answer(runner, listed('db1'))).toMatchObject({ job: { limit: 'db1' } });
    expect((await runner.receives('job')).job).toMatchObject({ task_id: first.id, locked_hosts: ['db1'] });
    const again = await launch({ limit: 'web1' });
    expect(again).toMatchObject({ lock_hosts: true });
    expect(await answer(runner, listed('web1'))).toMatchObject({ job: { task_id: again.id, limit: 'web1' } });
    expect((await runner.receives('job')).job).toMatchObject({ task_id: again.id, locked_hosts: ['web1'] });
  });
});
