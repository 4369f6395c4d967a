import { expect, it } from 'vitest';
import { describeOneDatabase } from '../../testing/database/databases.ts';
import { sampleProject } from '../../testing/sample-project.ts';
import { signalbox } from '../../testing/signalbox-process.ts';
import { startTestServer } from '../../testing/test-server.ts';

const RESULT = { kind: 'host', at: 1, line: 4, step: 1, result: 'failed', message: 'Only \u001b[31m3 workers\nneed 5' };
const STEP = { kind: 'step', at: 1, line: 2, step: 1, play: 1, name: 'Check', action: 'assert', handler: false };

describeOneDatabase('signalbox task', (makeLocation) => {
  it('shows the status and the failures of a task, without control sequences of hosts', async () => {
    const location = await makeLocation();
    const server = await startTestServer(location);
    const admin = await server.signIn();
    const sample = await sampleProject(admin);
    const { id: token } = (await admin.post('/user/tokens', { name: 'tasks' })).json<{ id: string }>();
    const body = { template_id: await sample.template({ name: 'Deploy' }) };
    const { id } = (await admin.post(`${sample.base}/tasks`, body)).json<{ id: number }>();
    const records = [
      { ...STEP, path: 'site.yml:7' },
      { ...RESULT, host: 'web-1' },
      { ...RESULT, host: 'web-2' },
    ];
    await server.storage.logs.appendResults({ taskId: id, epoch: 1, first: 1, records });
    const environment = { SIGNALBOX_SERVER: server.baseUrl, SIGNALBOX_TOKEN: token };
    const show = (...args: string[]) => signalbox(location, 'task', 'show', ...args, environment).ended;
    const shown = await show(String(id));
    expect(shown.output).toBe(
      [
        `#${id} Deploy: waiting`,
        '',
        '2 hosts: Only 3 workers',
        '  step Check (site.yml:7), first on web-1, log line 4',
        '  Only 3 workers',
        '  need 5',
        '',
      ].join('\n'),
    );
    expect(JSON.parse((await show(`#${id}`, '--json')).output)).toMatchObject({
      task: { id },
      failures: [{ hosts: 2, first_hosts: ['web-1', 'web-2'] }],
    });
    const missing = await show('4711');
    expect([missing.code, missing.output]).toEqual([1, expect.stringContaining('There is no task #4711')]);
  }, 60_000);
});
