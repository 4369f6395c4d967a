import { utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DAY_MS } from '@signalbox/contract/limits';
import { expect, it } from 'vitest';
import type { TestLocation } from '../../testing/database/databases.ts';
import { describeOneDatabase } from '../../testing/database/databases.ts';
import { describeEachLogStore, makeFolder } from '../../testing/log-stores/test-object-store.ts';
import { startTestServer } from '../../testing/test-server.ts';
import { insertObject } from './log-object.store.ts';
import { readLogStoreRow } from './log-store-row.ts';
import { openObjectStore } from './open-object-store.ts';
import { searchOrphans } from './orphan-search.ts';

const NAMES = ['logs/0/7-0123456789abcdef', 'logs/0/8-0123456789abcdef', 'logs/10/10001-0123456789abcdef'];
const BYTES = Buffer.from('bytes');

/** Starts a server, which searches its empty store once and then not for a day. */
const startSearched = async (location: TestLocation, settings: Readonly<Record<string, string>>) => {
  const server = await startTestServer(location, { ...settings, SIGNALBOX_LOG_STORE_AFTER_HOURS: 'never' });
  const { database } = server.storage;
  const readDue = async () => (await readLogStoreRow(database))?.orphans_due;
  await expect.poll(readDue).toEqual(expect.any(String));
  return { server, database, due: Date.parse((await readDue()) ?? '') };
};

describeEachLogStore('objects that no row names', (make) => {
  describeOneDatabase('in the log store', (makeLocation) => {
    it('are removed when they are older than a day, and counted; nothing else is touched', async () => {
      const made = await make();
      const { server, database, due } = await startSearched(await makeLocation(), made.settings);
      const store = openObjectStore(made.target);
      for (const name of NAMES) await store.put(`${name}.1`, BYTES);
      await store.put(`${NAMES[0]}.2`, BYTES);
      await store.put('logs/0/notes.txt', BYTES);
      const [known = ''] = NAMES;
      const row = { name: known, task_id: 7, parts: 2, bytes: 10, created: '' };
      await insertObject(database, row);

      let now = due;
      const errors: unknown[] = [];
      const onError = (error: unknown) => errors.push(error);
      let lists = 0;
      const counted = {
        list: (after: string) => {
          lists += 1;
          return store.list(after);
        },
        remove: (name: string) => store.remove(name),
      };
      const deps = { database, store: counted, clock: { now: () => new Date(now) }, onError };
      const all = async () => {
        for (let page = 0; page < 4; page++) await searchOrphans(deps, new AbortController().signal);
      };
      const before = made.names();
      await all();
      expect(made.names()).toEqual(before);
      const once = lists;
      await all();
      expect(lists).toBe(once);
      now += DAY_MS + 60_000;
      await all();
      expect(made.names()).toEqual(
        before.filter((name) => !name.startsWith(NAMES[1] ?? '-') && !name.startsWith(NAMES[2] ?? '-')),
      );
      expect(errors).toEqual([]);
      expect(await database.read.selectFrom('log_store').select('orphans').execute()).toEqual([{ orphans: 2 }]);
      const client = await server.signIn();
      expect((await client.get('/system')).json()).toMatchObject({ log_store: { orphans: 2 } });
    });

    it('are counted although a later one cannot be removed, and searched again the next day', async () => {
      const made = await make();
      const { database, due } = await startSearched(await makeLocation(), made.settings);
      const store = openObjectStore(made.target);
      for (const part of [1, 2]) await store.put(`${NAMES[0]}.${part}`, BYTES);
      const errors: unknown[] = [];
      let now = due + 60_000;
      let isBroken = true;
      const step = () =>
        searchOrphans(
          {
            database,
            store: {
              list: (after) => store.list(after),
              remove: (name) =>
                isBroken && name.endsWith('.2') ? Promise.reject(new Error('refused')) : store.remove(name),
            },
            clock: { now: () => new Date(now) },
            onError: (error) => errors.push(error),
          },
          new AbortController().signal,
        );
      const orphans = async () =>
        Number((await database.read.selectFrom('log_store').select('orphans').executeTakeFirstOrThrow()).orphans);
      await step();
      expect(errors).toEqual([new Error('refused')]);
      expect(await orphans()).toBe(1);
      isBroken = false;
      await step();
      expect(await orphans()).toBe(1);
      now += DAY_MS;
      await step();
      expect(await orphans()).toBe(2);
    });
  });
});

it('a folder is listed by name, page by page', async () => {
  const { folder, target } = makeFolder();
  const store = openObjectStore(target);
  expect(await store.list('')).toEqual([]);
  for (const name of NAMES) await store.put(`${name}.1`, BYTES);
  writeFileSync(join(folder, 'logs', '.nfs0001'), BYTES);
  writeFileSync(join(folder, 'logs', 'readme'), BYTES);
  utimesSync(join(folder, `${NAMES[0]}.1`), 5, 5);
  const first = await store.list('');
  expect(first.map(({ name }) => name)).toEqual([`${NAMES[0]}.1`, `${NAMES[1]}.1`]);
  expect(first[0]?.modified).toBe(5000);
  expect((await store.list(`${NAMES[0]}.1`)).map(({ name }) => name)).toEqual([`${NAMES[1]}.1`]);
  expect((await store.list(`${NAMES[1]}.1`)).map(({ name }) => name)).toEqual([`${NAMES[2]}.1`]);
  expect(await store.list(`${NAMES[2]}.1`)).toEqual([]);
});
