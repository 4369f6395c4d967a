import { expect, it, onTestFinished } from 'vitest';
import { describeEachDatabase, describeRemoteDatabase } from '../../testing/database/databases.ts';
import { hostLockProject, listed } from '../../testing/host-lock-project.ts';
import { TestClock } from '../../testing/test-clock.ts';
import { startTestServer } from '../../testing/test-server.ts';
import { twoServers } from '../../testing/two-servers.ts';
import { LEASE_MS } from './query-service.ts';

const START = '2026-11-21T10:00:00.000Z';

describeEachDatabase('a task whose hosts are not known', (makeLocation) => {
  it('ends when it is stopped, and the later answer changes nothing', async () => {
    const server = await startTestServer(await makeLocation());
    const { launch, read, stop, connect, answer } = await hostLockProject(server, await server.signIn());
    const task = await launch();
    const runner = await connect();
    const { query_id } = await runner.receives('query');
    await stop(task.id);
    const stopped = await read(task.id);
    expect(stopped).toMatchObject({ status: 'stopped' });
    runner.send({ type: 'answer', query_id, answer: { ask: 'refused', error: 'Too late.' } });
    const next = await launch();
    await answer(runner, listed('web1'));
    expect((await runner.receives('job')).job.task_id).toBe(next.id);
    expect(await read(task.id)).toEqual(stopped);
  });

  it('[R5] ends its query at the runner when it is stopped', async () => {
    const server = await startTestServer(await makeLocation());
    const { launch, stop, connect } = await hostLockProject(server, await server.signIn());
    const task = await launch();
    const runner = await connect();
    const { query_id } = await runner.receives('query');
    await stop(task.id);
    expect(await runner.receives('query_ended')).toEqual({ type: 'query_ended', query_id });
  });

  it('ends when listing them has taken too long twice', async () => {
    const clock = new TestClock(START);
    const server = await startTestServer(await makeLocation(), {}, clock);
    const { launch, read, connect } = await hostLockProject(server, await server.signIn());
    const task = await launch();
    const runner = await connect();
    for (let n = 0; n < 2; n++) {
      await runner.receives('query');
      clock.pass(LEASE_MS.run_hosts);
      await runner.receives('query_ended');
      if (n === 0) expect(await read(task.id)).toMatchObject({ status: 'waiting' });
      const due = setInterval(() => clock.pass(1_000), 50);
      onTestFinished(() => clearInterval(due));
    }
    const reason = { code: 'hosts.unresolved', params: { detail: 'listing the hosts took too long' } };
    await expect.poll(() => read(task.id)).toMatchObject({ status: 'error', end_reason: reason });
  });

  it('does not fail by a refusal after another server has stored the hosts', async () => {
    const server = await startTestServer(await makeLocation());
    const { launch, read, connect } = await hostLockProject(server, await server.signIn());
    const task = await launch();
    const runner = await connect();
    const { query_id } = await runner.receives('query');
    const stored = { hosts: '["web1"]', digest: 'of the other server' };
    await server.storage.database.autocommit.updateTable('task_hosts').set(stored).execute();
    runner.send({ type: 'answer', query_id, answer: { ask: 'refused', error: 'Too late.' } });
    await launch();
    await runner.receives('query');
    expect((await read(task.id)).end_reason).toBeNull();
  });

  it('gets them from another runner if the first one is lost', async () => {
    const server = await startTestServer(await makeLocation());
    const { launch, connect, answer } = await hostLockProject(server, await server.signIn());
    const task = await launch();
    const first = await connect('first');
    await first.receives('query');
    first.close();
    const second = await connect('second');
    expect(await answer(second, listed('web1'))).toMatchObject({ job: { task_id: task.id } });
    expect((await second.receives('job')).job).toMatchObject({ task_id: task.id, locked_hosts: ['web1'] });
  });

  it('is left to other servers only when no attempt is open', async () => {
    const clock = new TestClock(START);
    const server = await startTestServer(await makeLocation(), {}, clock);
    const { launch, connect } = await hostLockProject(server, await server.signIn());
    const due = async () => {
      const row = server.storage.database.read.selectFrom('task_hosts').select('next_attempt');
      return Date.parse((await row.executeTakeFirstOrThrow()).next_attempt);
    };
    await launch();
    const runner = await connect();
    await runner.receives('query');
    const begun = await due();
    clock.pass(6_000);
    await expect.poll(due).toBe(begun + 6_000);
  });

  it('gets them although the clock was set back since the last attempt', async () => {
    const clock = new TestClock(START);
    const server = await startTestServer(await makeLocation(), {}, clock);
    const { launch, connect, answer } = await hostLockProject(server, await server.signIn());
    const task = await launch();
    clock.step(-7_200_000);
    const runner = await connect();
    clock.pass(6_000);
    await answer(runner, listed('web1'));
    expect((await runner.receives('job')).job.task_id).toBe(task.id);
  });
});

describeRemoteDatabase('two servers', (makeLocation) => {
  it('[R5] end a query at the runner of one when its task is stopped at the other', async () => {
    const { second, admin, runner } = await twoServers(makeLocation);
    const { launch, stop } = await hostLockProject(second, admin);
    const task = await launch();
    const { query_id } = await runner.receives('query');
    await stop(task.id);
    expect(await runner.receives('query_ended')).toEqual({ type: 'query_ended', query_id });
  });

  it('list the hosts of a task once, at the runner of one of them', async () => {
    const { second, admin, runner } = await twoServers(makeLocation);
    const { launch } = await hostLockProject(second, admin);
    const tasks = [await launch({ limit: 'web1' }), await launch({ limit: 'web2' })];
    const asked: (number | undefined)[] = [];
    for (const host of ['web1', 'web2']) {
      const { query, query_id } = await runner.receives('query');
      asked.push(query.ask === 'run_hosts' ? query.job.task_id : undefined);
      runner.send({ type: 'answer', query_id, answer: listed(host) });
    }
    const ids = tasks.map(({ id }) => id);
    expect(asked.toSorted()).toEqual(ids.toSorted());
    const jobs = [(await runner.receives('job')).job.task_id, (await runner.receives('job')).job.task_id];
    expect(jobs.toSorted()).toEqual(ids.toSorted());
    expect(runner.received.filter(({ type }) => type === 'query')).toEqual([]);
  });
});
