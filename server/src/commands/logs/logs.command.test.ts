import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DAY_MS } from '@signalbox/contract/limits';
import { expect, it } from 'vitest';
import { openObjectStore } from '../../logs/objects/open-object-store.ts';
import { describeOneDatabase, describeOneEmptyDatabase, type TestLocation } from '../../testing/database/databases.ts';
import { endedTask, lineOf } from '../../testing/log-stores/ended-task.ts';
import { describeEachLogStore, type TestObjectStore } from '../../testing/log-stores/test-object-store.ts';
import { sampleProject } from '../../testing/sample-project.ts';
import { signalbox } from '../../testing/signalbox-process.ts';
import { startTestServer } from '../../testing/test-server.ts';

const LINES = 40;
const TEXTS = Array.from({ length: LINES }, (_, index) => lineOf(index + 1));
const NEVER = { SIGNALBOX_LOG_STORE_AFTER_HOURS: 'never' };

/** A running server with a store, to which it moves no logs, and with the logs of two ended tasks. */
const setUp = async (location: TestLocation, store: TestObjectStore) => {
  const settings = { ...store.settings, ...NEVER };
  const server = await startTestServer(location, settings);
  const { projectId, template } = await sampleProject(await server.signIn());
  const templateId = await template();
  const ids = [await endedTask(server, { projectId, templateId }, LINES)];
  ids.push(await endedTask(server, { projectId, templateId }, LINES));
  const run = async (command: string, ...args: string[]) => await signalbox(location, command, ...args, settings).ended;
  return { server, ids, run, settings };
};

const linesOf = async (server: Awaited<ReturnType<typeof startTestServer>>, id: number) =>
  (await server.storage.logs.lines(id, 1, LINES + 1)).map(([, text]) => text);

describeEachLogStore('signalbox logs', (make) => {
  describeOneDatabase('next to a server', (makeLocation) => {
    it('moves all logs to the store, and back into the database, after which the store can be left out', async () => {
      const [location, store] = [await makeLocation(), await make()];
      const { server, ids, run, settings } = await setUp(location, store);
      expect(await run('logs', 'move')).toMatchObject({
        code: 0,
        output: expect.stringMatching(/^2 logs \(0\.0 MB\) in/),
      });
      expect(store.names()).toHaveLength(3);
      for (const id of ids) expect(await linesOf(server, id)).toEqual(TEXTS);
      const { output } = await run('logs', 'status', '--json');
      expect(JSON.parse(output)).toMatchObject({ moved: 2, waiting: 0, removing: 0, failing_since: null });

      const refused = await signalbox(location, 'logs', 'move-back', {
        ...settings,
        SIGNALBOX_LOG_STORE_AFTER_HOURS: '1',
      }).ended;
      expect(refused).toMatchObject({
        code: 1,
        output: expect.stringContaining('SIGNALBOX_LOG_STORE_AFTER_HOURS=never'),
      });
      expect(await run('logs', 'move-back')).toMatchObject({
        code: 0,
        output: expect.stringContaining('Moved 2 logs'),
      });
      expect(store.names()).toHaveLength(1);
      await server.stop();
      const without = await startTestServer(location);
      for (const id of ids) expect(await linesOf(without, id)).toEqual(TEXTS);
    });
  });

  describeOneDatabase('before a sweep', (makeLocation) => {
    it('prints what retention would remove, wherever the logs are, and removes nothing', async () => {
      const [location, store] = [await makeLocation(), await make()];
      const { server, ids, run, settings } = await setUp(location, store);
      const keep = { SIGNALBOX_KEEP_LOGS_DAYS: '1', SIGNALBOX_KEEP_TASKS_PER_TEMPLATE: '1' };
      const expired = async (...args: string[]) =>
        (await signalbox(location, 'logs', 'expired', ...args, { ...settings, ...keep }).ended).output;
      const old = { end_time: new Date(Date.now() - 3 * DAY_MS).toISOString() };
      await server.storage.database.autocommit.updateTable('task').set(old).execute();
      // The newest one is the last success.
      expect(await expired()).toMatch(/^Would remove 1 log and 0 tasks, \d+(\.\d)? (bytes|KB)\.$/m);
      const before = JSON.parse(await expired('--json'));
      await run('logs', 'move');
      expect(JSON.parse(await expired('--json'))).toMatchObject({ tasks: 0, logs: 1 });
      expect(before.bytes).toBeGreaterThan(100);
      for (const id of ids) expect(await linesOf(server, id)).toEqual(TEXTS);
    });
  });

  describeOneEmptyDatabase('in backups', (makeLocation) => {
    it('are restored from the store, or from the backup if it contains them', async () => {
      const [location, store] = [await makeLocation(), await make()];
      const { server, ids, run } = await setUp(location, store);
      await run('logs', 'move');
      const restored = async (name: string, ...args: string[]) => {
        const file = join(location.folder, name);
        const made = await run('backup', '--output', file, ...args);
        expect(made, made.output).toMatchObject({ code: 0 });
        const other = await makeLocation();
        writeFileSync(join(other.folder, 'encryption.key'), readFileSync(join(location.folder, 'encryption.key')));
        expect(await signalbox(other, 'restore', file).ended).toMatchObject({ code: 0 });
        return other;
      };
      const whole = await restored('whole.backup', '--with-moved-logs');
      const index = await restored('index.backup');
      await server.stop();
      const later = await startTestServer(index, { ...store.settings, ...NEVER });
      for (const id of ids) expect(await linesOf(later, id)).toEqual(TEXTS);
      await store.away();
      const alone = await startTestServer(whole);
      for (const id of ids) expect(await linesOf(alone, id)).toEqual(TEXTS);
      expect(await alone.storage.database.read.selectFrom('log_object').selectAll().execute()).toEqual([]);
      await store.back();
    });

    it('are reported if their objects are missing', async () => {
      const [location, store] = [await makeLocation(), await make()];
      const { run } = await setUp(location, store);
      await run('logs', 'move');
      const name = store.names().find((found) => found.startsWith('logs/')) ?? '';
      await openObjectStore(store.target).remove(name);
      const backup = (file: string, ...args: string[]) =>
        run('backup', '--output', join(location.folder, file), '--with-moved-logs', ...args);
      const refused = await backup('whole.backup');
      expect(refused).toMatchObject({ code: 1, output: expect.stringContaining('objects of 1 log are missing') });
      const made = await backup('incomplete.backup', '--skip-missing-logs', '--json');
      expect(made).toMatchObject({ code: 0, output: expect.stringContaining('"missing_logs": 1') });
    });

    it('are not read from a store that is not the one of the database', async () => {
      const [location, store] = [await makeLocation(), await make()];
      const { run } = await setUp(location, store);
      await run('logs', 'move');
      for (const name of store.names())
        if (name.startsWith('signalbox')) await openObjectStore(store.target).remove(name);
      const made = await run('backup', '--output', join(location.folder, 'whole.backup'), '--with-moved-logs');
      expect(made).toMatchObject({ code: 1, output: expect.stringContaining('is not the one that') });
      expect(existsSync(join(location.folder, 'whole.backup'))).toBe(false);
    });
  });
});
