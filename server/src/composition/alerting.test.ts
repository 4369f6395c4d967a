import { expect, it } from 'vitest';
import { alertedProject } from '../testing/alerted-project.ts';
import { describeOneDatabase } from '../testing/database/databases.ts';
import { startReceiver } from '../testing/http-receiver.ts';
import { connectRunner } from '../testing/runners/scripted-runner.ts';

describeOneDatabase('an alert at the end of a run', (makeLocation) => {
  it('is sent at once with version, commit and results; a stop before the start sends none', async () => {
    const hook = await startReceiver();
    const location = await makeLocation();
    const { server, admin, sample, receiver } = await alertedProject(location);
    await receiver(hook.url);
    const template_id = await sample.template({ name: 'Image', type: 'build', start_version: '1.4.0' });
    const launch = async () => (await admin.post(`${sample.base}/tasks`, { template_id })).json<{ id: number }>().id;
    const stopped = await launch();
    expect((await admin.post(`${sample.base}/tasks/${stopped}/stop`, {})).statusCode).toBe(204);
    const runner = await connectRunner(server, location.folder);
    runner.hello();
    const id = await launch();
    const { job } = await runner.receives('job');
    const run = { task_id: id, epoch: job.epoch };
    runner.send({ type: 'accepted', ...run });
    await runner.receives('start');
    runner.send({ type: 'commit', ...run, commit_hash: '0123456789abcdef', commit_message: 'Pin nginx\n\nIt broke.' });
    runner.send({ type: 'started', ...run });
    const result = {
      kind: 'host',
      at: 1,
      line: 1,
      step: 1,
      host: 'web-01',
      result: 'failed',
      message: 'boom',
    } as const;
    runner.send({ type: 'results', ...run, first: 1, records: [result] });
    await runner.receives('results_stored');
    runner.send({ type: 'ended', ...run, result: 'error', reason: 'exit_code', lines: 0 });
    await runner.receives('acknowledged');
    await hook.until(1);
    await server.alerting.sender.idle();
    expect(hook.posts).toHaveLength(1);
    const { body } = hook.posts[0] ?? {};
    expect(body).toMatchObject({
      task: { id, status: 'error', version: '1.4.1', commit_message: 'Pin nginx\n\nIt broke.' },
      failed_hosts: ['web-01'],
      first_error: { host: 'web-01', message: 'boom' },
    });
    expect(body?.text).toContain(`Image #${id} failed`);
    expect(body?.text).toContain('Version: 1.4.1');
    expect(body?.text).toContain('Commit: 01234567 Pin nginx It broke.');
  });
});
