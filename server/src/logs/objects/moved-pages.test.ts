import type { LogLines } from '@signalbox/contract';
import { expect, it, onTestFinished } from 'vitest';
import { isWholeRun } from '../../../../testing/sample.ts';
import { describeOneDatabase } from '../../testing/database/databases.ts';
import { endedTask, lineOf } from '../../testing/log-stores/ended-task.ts';
import { startS3Server } from '../../testing/log-stores/s3-server.ts';
import { sampleProject } from '../../testing/sample-project.ts';
import { startTestServer } from '../../testing/test-server.ts';

const LINES = isWholeRun() ? 1_000_000 : 100_000;
const KEYS = { accessKey: 'key', secret: 'a secret of the store' };
/** Maximum number of bytes that a page reads: two compressed blocks. */
const MAX_PAGE = 200_000;

describeOneDatabase('a long log in a bucket', (makeLocation) => {
  const setUp = async () => {
    const s3 = await startS3Server('logs', KEYS);
    onTestFinished(s3.stop);
    const location = await makeLocation();
    const settings = {
      SIGNALBOX_LOG_STORE: 's3:logs',
      SIGNALBOX_LOG_STORE_AFTER_HOURS: '0',
      SIGNALBOX_LOG_STORE_ENDPOINT: s3.endpoint,
      SIGNALBOX_LOG_STORE_ACCESS_KEY: KEYS.accessKey,
      SIGNALBOX_LOG_STORE_SECRET: KEYS.secret,
    };
    return { s3, location, settings };
  };

  it('is opened anywhere by reading one or two of its blocks, once', async () => {
    const { s3, location, settings } = await setUp();
    const server = await startTestServer(location, settings);
    const client = await server.signIn();
    const { base, projectId, template } = await sampleProject(client);
    const taskId = await endedTask(server, { projectId, templateId: await template() }, LINES);
    server.logMover?.wake();
    await server.logMover?.idle();
    const whole = [...s3.objects.values()].reduce((sum, { length }) => sum + length, 0);
    for (const from of [LINES - 5, LINES * 0.9, LINES / 2, 1]) {
      const before = s3.sent();
      const read = async () =>
        (await client.get(`${base}/tasks/${taskId}/lines?from=${from}&limit=5`)).json<LogLines>();
      expect((await read()).lines.map(([, text]) => text)).toEqual([0, 1, 2, 3, 4].map((more) => lineOf(from + more)));
      const sent = s3.sent() - before;
      expect(sent).toBeGreaterThan(0);
      expect(sent).toBeLessThan(Math.min(MAX_PAGE, whole / 2));
      await read();
      expect(s3.sent() - before).toBe(sent);
    }
  });

  it('is refused at the start with a wrong secret, which the error does not contain', async () => {
    const { location, settings } = await setUp();
    const wrong = startTestServer(location, { ...settings, SIGNALBOX_LOG_STORE_SECRET: 'the wrong one' });
    await expect(wrong).rejects.toThrow(/answered 403 SignatureDoesNotMatch .*Check SIGNALBOX_LOG_STORE\.$/);
    await expect(wrong).rejects.not.toThrow('the wrong one');
    expect((await startTestServer(location, settings)).logMover).toBeDefined();
  });
});
