import { expect, it } from 'vitest';
import type { Logs } from '../database/database.ts';
import { openLogsFile } from '../database/logs-file.ts';
import { withSnapshot } from '../database/stored-copy.ts';
import { moveAllBack } from '../logs/objects/move-all-back.ts';
import { openLogObjects } from '../logs/objects/open-object-store.ts';
import { describeEachDatabase } from '../testing/database/databases.ts';
import { endedTask } from '../testing/log-stores/ended-task.ts';
import { makeFolder } from '../testing/log-stores/test-object-store.ts';
import { sampleProject } from '../testing/sample-project.ts';
import { startTestServer } from '../testing/test-server.ts';
import { withMovedLogs } from './with-moved-logs.ts';

describeEachDatabase('a backup with moved logs', (makeLocation) => {
  it('contains a log that is moved back after the backup has begun', async () => {
    const [location, store] = [await makeLocation(), makeFolder()];
    const { signIn, logMover, storage } = await startTestServer(location, store.settings);
    const { database, logs, logStore } = storage;
    const { projectId, template } = await sampleProject(await signIn());
    const taskId = await endedTask({ storage }, { projectId, templateId: await template() }, 10);
    logMover?.wake();
    await logMover?.idle();
    const objects = openLogObjects(logStore?.moved);
    if (!objects || !logStore) throw new Error('The server has no log store.');
    const apart = database.capabilities.logsApart ? openLogsFile(location.folder) : undefined;
    const now = apart ?? (database.autocommit as unknown as Logs);
    const missing: number[] = [];
    const from = location.databaseUrl === undefined ? { folder: location.folder } : { url: location.databaseUrl };
    const kinds = await withSnapshot(from, async (snapshot) => {
      const deps = { database, logs, store: logStore.store, row: logStore.row, clock: { now: () => new Date() } };
      const count = await moveAllBack({ ...deps, afterHours: undefined, onError: () => undefined }, () => undefined);
      expect(count).toBe(1);
      const table = snapshot.tables.find(({ name }) => name === 'log_block');
      if (!table) throw new Error('The snapshot has no logs.');
      const source = { objects, now, onMissing: (id: number) => missing.push(id) };
      const [task, kind] = [table.columns.indexOf('task_id'), table.columns.indexOf('kind')];
      const found: unknown[] = [];
      for await (const row of withMovedLogs(snapshot, source).rows(table))
        if (row[task] === taskId && row[kind] !== 'head') found.push(row[kind]);
      return found;
    });
    await apart?.destroy();
    expect(missing).toEqual([]);
    expect(kinds.filter((kind) => kind === 'packed').length).toBeGreaterThanOrEqual(2);
    expect(kinds).not.toContain('moved');
  });
});
