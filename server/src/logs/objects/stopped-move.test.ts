import { expect, it, onTestFinished } from 'vitest';
import { describeEachDatabase } from '../../testing/database/databases.ts';
import { endedTask } from '../../testing/log-stores/ended-task.ts';
import { startS3Server } from '../../testing/log-stores/s3-server.ts';
import { sampleProject } from '../../testing/sample-project.ts';
import { startTestServer } from '../../testing/test-server.ts';

const KEYS = { accessKey: 'key', secret: 'some secret' };

describeEachDatabase('a server whose log store does not answer a write', (makeLocation) => {
  it('stops at once, and moves the log after its next start', async () => {
    const { endpoint, objects, hold, release, stop } = await startS3Server('logs', KEYS);
    onTestFinished(stop);
    const location = await makeLocation();
    const settings = {
      SIGNALBOX_LOG_STORE: 's3:logs',
      SIGNALBOX_LOG_STORE_ENDPOINT: endpoint,
      SIGNALBOX_LOG_STORE_ACCESS_KEY: KEYS.accessKey,
      SIGNALBOX_LOG_STORE_SECRET: KEYS.secret,
      SIGNALBOX_LOG_STORE_AFTER_HOURS: '0',
    };
    const server = await startTestServer(location, settings);
    await server.logMover?.idle();
    const { projectId, template } = await sampleProject(await server.signIn());
    await endedTask(server, { projectId, templateId: await template() }, 3);
    const writes = hold();
    server.logMover?.wake();
    await writes;
    await server.stop();
    expect([...objects.keys()]).toEqual(['signalbox-log-store']);
    release();
    const { logMover, storage } = await startTestServer(location, settings);
    await logMover?.idle();
    expect(objects.size).toBe(2);
    const { read } = storage.database;
    expect(await read.selectFrom('log_object').select('stage').execute()).toEqual([{ stage: 'stored' }]);
    expect(await read.selectFrom('log_store').select('failure').execute()).toEqual([{ failure: null }]);
  });
});
