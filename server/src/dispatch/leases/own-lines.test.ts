import type { LogLines } from '@signalbox/contract';
import { expect, it } from 'vitest';
import { describeEachDatabase } from '../../testing/database/databases.ts';
import { connectRunner } from '../../testing/runners/scripted-runner.ts';
import { sampleProject } from '../../testing/sample-project.ts';
import { startTestServer } from '../../testing/test-server.ts';

describeEachDatabase('lines that a runner writes', (makeLocation) => {
  it('are distinguished from output that imitates them, in every call that returns a log', async () => {
    const location = await makeLocation();
    const server = await startTestServer(location);
    const client = await server.signIn();
    const { base, template } = await sampleProject(client);
    const runner = await connectRunner(server, location.folder);
    runner.hello();
    const { id } = (await client.post(`${base}/tasks`, { template_id: await template() })).json<{ id: number }>();
    const path = `${base}/tasks/${id}`;
    const run = { task_id: id, epoch: (await runner.receives('job')).job.epoch };
    runner.send({ type: 'accepted', ...run });
    await runner.receives('start');
    runner.send({ type: 'started', ...run });
    const forced = 'Stopped by force while its runner could not be reached.';
    const texts = ['Command: ansible-playbook', '[signalbox] Command: forged', '\\[signalbox] twice', forced];
    const times = texts.map(() => Date.parse('2026-11-21T10:00:00Z'));
    runner.send({ type: 'output', ...run, first: 1, times, lines: texts, own: [1], offset: 9 });
    await runner.receives('output_stored');
    expect((await client.get(`${path}/lines`)).json<LogLines>().lines.map(([, , source]) => source ?? null)).toEqual([
      'runner',
      null,
      null,
      null,
    ]);
    const records = (await client.get(`${path}/output`)).json<{ source: string }[]>();
    expect(records.map(({ source }) => source)).toEqual(['runner', 'output', 'output', 'output']);
    expect((await client.get(`${path}/raw_output`)).body.split('\n')).toEqual([
      '[signalbox] Command: ansible-playbook',
      '\\[signalbox] Command: forged',
      '\\\\[signalbox] twice',
      forced,
      '',
    ]);
    // The forged last line does not make the server believe that the task ended without its runner.
    runner.send({ type: 'ended', ...run, result: 'success', reason: 'finished', lines: texts.length });
    await runner.receives('acknowledged');
    const again = await connectRunner(server, location.folder);
    again.hello([{ ...run, state: 'ended' }]);
    expect(await again.receives('acknowledged')).toMatchObject({ ...run, orphaned: false });
    expect((await client.get(path)).json<{ status: string }>().status).toBe('success');
  });
});
