import type { QueuedTask } from '@signalbox/contract';
import type { QueryAnswer } from '@signalbox/contract/link';
import { expect, it } from 'vitest';
import { describeEachDatabase, type TestLocation } from '../../testing/database/databases.ts';
import { ScriptedRunner } from '../../testing/runners/scripted-runner.ts';
import { sampleProject } from '../../testing/sample-project.ts';
import { startTestServer } from '../../testing/test-server.ts';
import { LINK_PATH } from '../session/runner-hub.ts';

const COMMIT = 'c'.repeat(40);

const setUp = async (location: TestLocation) => {
  const server = await startTestServer(location);
  const admin = await server.signIn();
  const sample = await sampleProject(admin);
  const template_id = await sample.template({ lock_hosts: true, allow_parallel_tasks: true });
  const launch = async () => (await admin.post(`${sample.base}/tasks`, { template_id })).json<QueuedTask>();
  const read = async (id: number) => (await admin.get(`${sample.base}/tasks/${id}`)).json<QueuedTask>();
  const connect = async () => {
    const { token } = (await admin.post('/runners', { name: 'one' })).json<{ token: string }>();
    const runner = new ScriptedRunner(`${server.baseUrl.replace(/^http/, 'ws')}${LINK_PATH}`, token);
    await runner.open();
    runner.hello();
    await runner.receives('welcome');
    return runner;
  };
  return { server, launch, read, connect };
};

describeEachDatabase('a task that locks the hosts of its run', (makeLocation) => {
  it('waits until a runner has listed them, and then runs with these hosts and the commit that was read', async () => {
    const { launch, read, connect } = await setUp(await makeLocation());
    const task = await launch();
    expect(task).toMatchObject({ lock_hosts: true, waiting_reason: { code: 'no_runner' } });
    const runner = await connect();
    const { query, query_id } = await runner.receives('query');
    expect(query).toMatchObject({ ask: 'run_hosts', job: { task_id: task.id, locked_hosts: null } });
    expect((await read(task.id)).waiting_reason).toEqual({ code: 'hosts_unknown', params: {} });
    const answer: QueryAnswer = { ask: 'run_hosts', hosts: ['db1', 'web1'], commit: COMMIT };
    runner.send({ type: 'answer', query_id, answer });
    const { job } = await runner.receives('job');
    expect(job).toMatchObject({ task_id: task.id, locked_hosts: ['db1', 'web1'], commit: COMMIT });
    const second = await launch();
    const again = await runner.receives('query');
    runner.send({ type: 'answer', query_id: again.query_id, answer: { ...answer, hosts: ['web1'] } });
    await expect
      .poll(async () => (await read(second.id)).waiting_reason)
      .toMatchObject({ code: 'host_held', params: { host: 'web1', others: 0, id: task.id } });
  });

  it('ends with the reason if they cannot be listed', async () => {
    const { launch, read, connect } = await setUp(await makeLocation());
    const task = await launch();
    const runner = await connect();
    const { query_id } = await runner.receives('query');
    runner.send({ type: 'answer', query_id, answer: { ask: 'refused', error: 'The playbook is not valid.' } });
    await expect
      .poll(async () => await read(task.id))
      .toMatchObject({
        status: 'error',
        end_reason: { code: 'hosts.unresolved', params: { detail: 'The playbook is not valid' } },
      });
  });
});
