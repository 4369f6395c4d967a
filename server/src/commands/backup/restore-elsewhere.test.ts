import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { LOG_STEPS, migrateAll, STATE_STEPS, type Steps } from '../../database/migrate.ts';
import { snapshotOf, withOpenLocation, withoutSignIns } from '../../testing/database/database-snapshot.ts';
import {
  describeEachEmptyDatabase,
  describeRemoteEmptyDatabase,
  type TestLocation,
} from '../../testing/database/databases.ts';
import { fillFoundation, fillFoundationLogs } from '../../testing/database/foundation-rows.ts';
import { sampleProject } from '../../testing/sample-project.ts';
import { signalbox } from '../../testing/signalbox-process.ts';
import { startTestServer } from '../../testing/test-server.ts';

const fileBased = (): TestLocation => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-restore-'));
  const remove = async () => rmSync(folder, { recursive: true, force: true });
  onTestFinished(remove);
  return { folder, databaseUrl: undefined, remove };
};

const first = (steps: Steps): Steps => Object.fromEntries(Object.entries(steps).slice(0, 1));

/** Backs one location up and restores it in the other, with its key. */
const move = async (from: TestLocation, to: TestLocation): Promise<void> => {
  const file = join(to.folder, 'all.backup');
  expect(await signalbox(from, 'backup', '--with-tokens', '--output', file).ended).toMatchObject({ code: 0 });
  const key = join(from.folder, 'encryption.key');
  writeFileSync(join(to.folder, 'encryption.key'), readFileSync(key));
  const restored = await signalbox(to, 'restore', file, '--keep-schedules').ended;
  expect(restored, restored.output).toMatchObject({ code: 0 });
};

/** Rows of state and logs as objects with sorted keys. */
const rowsOf = async (location: TestLocation): Promise<Record<string, string[]>> => {
  const { state, logs } = withoutSignIns(await snapshotOf(location));
  const { newest_gone: _own, ...rows } = { ...state.rows, ...logs.rows };
  // The PostgreSQL driver serializes bytes in its own format.
  const bytes = (_: string, value: { type?: string; data?: number[] } | null): unknown =>
    value?.type === 'Buffer' ? Buffer.from(value.data ?? []).toString('base64') : value;
  const sorted = (row: string): string =>
    JSON.stringify(Object.entries(JSON.parse(row, bytes) as object).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  return Object.fromEntries(Object.entries(rows).map(([table, texts]) => [table, texts.map(sorted).toSorted()]));
};

describeRemoteEmptyDatabase('[R14] a backup of SQLite', (makeLocation) => {
  it('can be restored to PostgreSQL and back, and new rows get ids that were never used', async () => {
    const first = fileBased();
    const server = await startTestServer(first);
    const admin = await server.signIn();
    const { base, projectId } = await sampleProject(admin);
    const other = (await admin.post('/projects', { name: 'Gone' })).json<{ id: number }>().id;
    await admin.del(`/project/${other}`);
    const key = (await admin.post(`${base}/keys`, { name: 'Gone', type: 'none' })).json<{ id: number }>().id;
    await admin.del(`${base}/keys/${key}`);
    await server.storage.logs.appendOutput({ taskId: 1, epoch: 1, first: 1, offset: 5e9, lines: [[1, 'a line']] });
    await server.stop();
    const second = await makeLocation();
    await move(first, second);
    expect(await rowsOf(second)).toEqual(await rowsOf(first));
    const third = fileBased();
    await move(second, third);
    expect(await rowsOf(third)).toEqual(await rowsOf(first));

    for (const location of [second, third]) {
      const again = await startTestServer(location);
      const client = await again.signIn();
      expect((await client.get(`${base}/keys`)).json()).toMatchObject([{ project_id: projectId }]);
      const made = (await client.post('/projects', { name: 'New' })).json<{ id: number }>().id;
      expect(made).toBeGreaterThan(other);
      const added = await client.post(`${base}/keys`, { name: 'New', type: 'none' });
      expect(added.json<{ id: number }>().id).toBeGreaterThan(key);
      await again.stop();
    }
  });
});

describeEachEmptyDatabase('a restore that replaces a database', (makeLocation) => {
  it('does not reuse ids that the replaced database assigned after the backup', async () => {
    const location = await makeLocation();
    const makeKey = async (name: string, isFirst = false): Promise<number> => {
      const server = await startTestServer(location);
      const admin = await server.signIn();
      if (isFirst) await sampleProject(admin);
      const made = await admin.post('/project/1/keys', { name, type: 'none' });
      await server.stop();
      return made.json<{ id: number }>().id;
    };
    await makeKey('Old key', true);
    const file = join(location.folder, 'all.backup');
    expect(await signalbox(location, 'backup', '--output', file).ended).toMatchObject({ code: 0 });
    const later = await makeKey('Later key');
    // Twice, because after the first restore only the counter has the highest id, and no row.
    for (let count = 1; count <= 2; count++)
      expect(await signalbox(location, 'restore', file, '--force').ended).toMatchObject({ code: 0 });
    expect(await makeKey('New key')).toBe(later + 1);
  });
});

describeEachEmptyDatabase('a backup of a version with other names of tables', (makeLocation) => {
  it('does not reuse ids that the replaced database assigned under a new name', async () => {
    const before = await makeLocation();
    const older = Object.fromEntries(Object.entries(STATE_STEPS).filter(([name]) => name < '0039'));
    await withOpenLocation(before, async (database, logs) => {
      await migrateAll(database, logs, { state: first(STATE_STEPS) });
      await fillFoundation(database.autocommit as unknown as Kysely<never>);
      await migrateAll(database, logs, { state: older });
    });
    writeFileSync(join(before.folder, 'encryption.key'), `${Buffer.alloc(32, 1).toString('base64')}\n`);
    const file = join(before.folder, 'all.backup');
    const backup = await signalbox(before, 'backup', '--output', file).ended;
    expect(backup, backup.output).toMatchObject({ code: 0 });
    const insertQuery = (location: TestLocation): Promise<number> =>
      withOpenLocation(location, async (database, logs) => {
        await migrateAll(database, logs);
        const project = { name: 'P', alert: 0, alert_chat: '', max_parallel_tasks: 0, created: '' } as const;
        const made = database.autocommit.insertInto('project').values(project).returning('id');
        const { id: project_id } = await made.executeTakeFirstOrThrow();
        const texts = {
          address: '',
          runner_name: '',
          ask: 'branches',
          object_type: 'repository',
          created: '',
          expires: '',
        };
        const values = { ...texts, project_id, user_id: null, runner_id: 1, object_id: null };
        const asked = database.autocommit.insertInto('runner_query').values(values).returning('id');
        return (await asked.executeTakeFirstOrThrow()).id;
      });
    const replaced = await makeLocation();
    for (let count = 1; count <= 3; count++) expect(await insertQuery(replaced)).toBe(count);
    expect(await signalbox(replaced, 'restore', file, '--force').ended).toMatchObject({ code: 0 });
    expect(await insertQuery(replaced)).toBe(4);
  });
});

describeEachEmptyDatabase('[R13] a database of an older version', (makeLocation) => {
  it('is backed up and restored unchanged, and migrated by the next start', async () => {
    const location = await makeLocation();
    await withOpenLocation(location, async (database, logs) => {
      await migrateAll(database, logs, { state: first(STATE_STEPS), logs: first(LOG_STEPS) });
      await fillFoundation(database.autocommit as unknown as Kysely<never>);
      await fillFoundationLogs((logs ?? database.autocommit) as unknown as Kysely<never>);
    });
    const before = await snapshotOf(location);
    writeFileSync(join(location.folder, 'encryption.key'), `${Buffer.alloc(32, 1).toString('base64')}\n`);
    const other = await makeLocation();
    await move(location, other);
    expect(await snapshotOf(location)).toEqual(before);
    expect((await snapshotOf(other)).state.rows).toEqual({ ...before.state.rows, session: [] });
    expect((await snapshotOf(other)).logs).toEqual(before.logs);
    const users = await signalbox(other, 'user', 'list').ended;
    expect(users, users.output).toMatchObject({ code: 0, output: expect.stringContaining('Ana Ünal') });
    expect((await snapshotOf(other)).state.steps).toEqual(Object.keys(STATE_STEPS));
  });
});
