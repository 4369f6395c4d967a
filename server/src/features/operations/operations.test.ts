import { expect, it } from 'vitest';
import { describeOneDatabase } from '../../testing/database/databases.ts';
import { connectRunner } from '../../testing/runners/scripted-runner.ts';
import { sampleProject } from '../../testing/sample-project.ts';
import { startTestServer } from '../../testing/test-server.ts';

/** The value of a sample as Prometheus would read it. */
const sample = (text: string, name: string): number | undefined => {
  const line = text.split('\n').find((one) => one.startsWith(`${name} `));
  return line === undefined ? undefined : Number(line.slice(name.length));
};

describeOneDatabase('monitoring', (makeLocation) => {
  it('reports readiness without a session', async () => {
    const server = await startTestServer(await makeLocation());
    const answer = await server.anonymous.get('/ready');
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      { status: 'ready', runners: 0, notices: expect.stringMatching(/^(connected|lost|none)$/) },
    ]);
    expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect((await server.anonymous.get('/ready')).headers['x-request-id']).not.toBe(answer.headers['x-request-id']);
  });

  it('reads how much work is waiting and how much was done', async () => {
    const location = await makeLocation();
    const server = await startTestServer(location);
    const client = await server.signIn();
    const { base, template } = await sampleProject(client);
    const templateId = await template();
    const runner = await connectRunner(server, location.folder);
    runner.hello([], { slots: 7 });
    const { id } = (await client.post(`${base}/tasks`, { template_id: templateId })).json<{ id: number }>();
    const second = (await client.post(`${base}/tasks`, { template_id: templateId })).json<{ id: number }>();
    const run = { task_id: id, epoch: (await runner.receives('job')).job.epoch };
    runner.send({ type: 'accepted', ...run });
    await runner.receives('start');
    runner.send({ type: 'commit', ...run, commit_hash: 'abc', commit_message: 'A change' });
    runner.send({ type: 'started', ...run });
    runner.send({ type: 'output', ...run, first: 1, lines: ['one', 'two'], times: [1, 2], offset: 8 });
    await runner.receives('output_stored');
    expect((await client.get('/ready')).json()).toMatchObject({ status: 'ready', runners: 1 });
    const read = async () => (await client.get('/metrics')).body;
    const busy = await read();
    const needs = '{app="ansible",execution_environment="system",tags=""}';
    expect(sample(busy, 'signalbox_tasks{status="running"}')).toBe(1);
    expect(sample(busy, 'signalbox_tasks{status="waiting"}')).toBe(1);
    expect(sample(busy, 'signalbox_tasks{status="stopping"}')).toBe(0);
    expect(sample(busy, `signalbox_waiting_tasks${needs}`)).toBe(1);
    expect(sample(busy, `signalbox_waiting_seconds${needs}`)).toBeGreaterThanOrEqual(0);
    expect(sample(busy, 'signalbox_runners')).toBe(1);
    expect(sample(busy, 'signalbox_runner_slots')).toBe(7);
    expect(sample(busy, 'signalbox_log_lines_total')).toBe(2);
    expect(sample(busy, 'signalbox_task_wait_seconds_count')).toBe(1);
    expect(sample(busy, 'signalbox_tasks_ended_total{status="error"}')).toBe(0);
    expect(sample(busy, 'process_resident_memory_bytes')).toBeGreaterThan(1_000_000);
    runner.send({ type: 'ended', ...run, result: 'error', reason: 'exit_code', lines: 2 });
    await runner.receives('acknowledged');
    expect((await client.post(`${base}/tasks/${second.id}/stop`, { force: false })).statusCode).toBe(204);
    const after = await read();
    expect(after).not.toMatch(/^signalbox_waiting_\w+\{/m);
    expect(sample(after, 'signalbox_tasks_ended_total{status="stopped"}')).toBe(1);
    expect(sample(after, 'signalbox_tasks_ended_total{status="error"}')).toBe(1);
    expect(sample(after, 'signalbox_task_duration_seconds_count{status="error"}')).toBe(1);
    expect(after).toContain(
      'signalbox_http_request_duration_seconds_count{method="POST",path="/api/project/:project_id/tasks",status="201"} 2',
    );
  });

  it('counts unknown paths under one name, and exposes no names of users', async () => {
    const server = await startTestServer(await makeLocation());
    const client = await server.signIn();
    await sampleProject(client, 'Secret plans');
    for (const path of ['/nothing/1', '/nothing/2', '/nothing/3']) await client.get(path);
    const text = (await client.get('/metrics')).body;
    expect(text).toMatch(/path="[^"]*",status="404"} 3/);
    expect(text).not.toMatch(/Secret plans|nothing/);
  });
});
