import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { describeEachDatabase } from '../../testing/database/databases.ts';
import { endedTask, lineOf } from '../../testing/log-stores/ended-task.ts';
import { makeFolder } from '../../testing/log-stores/test-object-store.ts';
import { sampleProject } from '../../testing/sample-project.ts';
import { startTestServer } from '../../testing/test-server.ts';
import { FOLDER_READ_MS } from './time-limits.ts';

/** Replaces a file by one whose readers wait forever, like those of an NFS server that does not answer. */
const hang = (file: string): void => {
  rmSync(file);
  execFileSync('mkfifo', [file]);
};

describeEachDatabase('a server whose folder of logs does not answer', (makeLocation) => {
  it('answers all other calls and stores logs meanwhile, and refuses the read in time', async () => {
    const store = makeFolder();
    const server = await startTestServer(await makeLocation(), store.settings);
    const client = await server.signIn();
    const { base, projectId, template } = await sampleProject(client);
    const ids = { projectId, templateId: await template() };
    const taskId = await endedTask(server, ids, 10);
    server.logMover?.wake();
    await server.logMover?.idle();
    const [object] = store.names().filter((name) => name.startsWith('logs/'));
    hang(join(store.folder, object ?? ''));
    const start = performance.now();
    const reads = Array.from({ length: 8 }, () => client.get(`${base}/tasks/${taskId}/lines?from=1`));
    const isAnswered = Promise.race(reads).then(() => true);
    // Both need the threads of the process: a password is hashed, and blocks of a log are compressed.
    await server.signIn();
    const other = await endedTask(server, ids, 3_000);
    const lines = await client.get(`${base}/tasks/${other}/lines?from=2999&limit=1`);
    expect(lines.json()).toMatchObject({ lines: [[expect.any(Number), lineOf(2999)]] });
    expect(await Promise.race([isAnswered, Promise.resolve(false)])).toBe(false);
    for (const { statusCode, ...answer } of await Promise.all(reads)) {
      expect(answer.json()).toMatchObject({ code: 'unavailable.log_store' });
      expect(statusCode).toBe(503);
    }
    expect(performance.now() - start).toBeLessThan(2 * FOLDER_READ_MS);
  });
});
