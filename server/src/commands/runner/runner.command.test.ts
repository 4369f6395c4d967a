import type { Runner } from '@signalbox/contract';
import { expect, it } from 'vitest';
import { describeOneDatabase } from '../../testing/database/databases.ts';
import { signalbox } from '../../testing/signalbox-process.ts';
import { startTestServer } from '../../testing/test-server.ts';

describeOneDatabase('signalbox runner', (makeLocation) => {
  it('lists, pauses, resumes and removes runners of a server', async () => {
    const location = await makeLocation();
    const server = await startTestServer(location);
    const admin = await server.signIn();
    const { id: token } = (await admin.post('/user/tokens', { name: 'runners' })).json<{ id: string }>();
    await admin.post('/runners', { name: 'edge', tags: ['dmz', 'gpu'] });
    const environment = { SIGNALBOX_SERVER: server.baseUrl, SIGNALBOX_TOKEN: token };
    const run = (...args: string[]) => signalbox(location, 'runner', ...args, environment).ended;
    const list = await run('list');
    const [header, edge] = list.output.split('\n');
    expect([list.code, header]).toEqual([0, 'NAME\tSTATE\tTASKS\tTAGS\tVERSION\tLAST CONTACT']);
    expect(edge).toBe('edge\tnot connected\t0/0\tdmz,gpu\t-\tnever');
    expect((await run('pause', 'edge')).output).toBe('Runner edge paused.\n');
    expect(JSON.parse((await run('list', '--json')).output)).toMatchObject([{ name: 'edge', paused: true }]);
    expect((await run('resume', 'edge')).output).toBe('Runner edge resumed.\n');
    const drained = await run('drain', 'edge');
    expect([drained.code, drained.output]).toEqual([1, expect.stringContaining('Runner edge is not connected')]);
    expect((await run('remove', 'edge')).output).toBe('Runner edge removed.\n');
    expect((await admin.get('/runners')).json<Runner[]>()).toEqual([]);
    const missing = await run('pause', 'edge');
    expect([missing.code, missing.output]).toEqual([1, expect.stringContaining('There is no runner edge')]);
  }, 60_000);
});
