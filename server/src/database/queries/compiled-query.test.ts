import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { withOpenLocation } from '../../testing/database/database-snapshot.ts';
import { describeEachEmptyDatabase } from '../../testing/database/databases.ts';
import { migrateAll } from '../migrate.ts';
import { compiledQuery } from './compiled-query.ts';

const named = compiledQuery((db, of: { readonly name: string; readonly least: number }) =>
  db
    .selectFrom('project')
    .select(['id', 'name'])
    .where('name', '=', of.name)
    .where('id', '>=', of.least)
    .where('alert_chat', '=', '')
    .orderBy('id'),
);

describeEachEmptyDatabase('a compiled query', (makeLocation) => {
  it('uses the parameters of each call, inside and outside of transactions', async () => {
    await withOpenLocation(await makeLocation(), async (database, logs) => {
      await migrateAll(database, logs);
      for (const name of ['a', 'b', 'a', "o'; drop table project"]) {
        const values = { name, alert: 0 as const, alert_chat: '', max_parallel_tasks: 0, created: '' };
        await database.autocommit.insertInto('project').values(values).execute();
      }
      const idsOf = async (name: string, least: number) =>
        (await named(database.read, { name, least })).map(({ id }) => id);
      expect(await idsOf('a', 1)).toEqual([1, 3]);
      expect(await idsOf('b', 1)).toEqual([2]);
      expect(await idsOf('a', 2)).toEqual([3]);
      expect(await idsOf("o'; drop table project", 1)).toEqual([4]);
      expect(await Promise.all([idsOf('a', 3), idsOf('b', 3), idsOf('b', 2)])).toEqual([[3], [], [2]]);
      await database.write(async (tx) => {
        await sql`update project set name = 'b'`.execute(tx);
        expect(await named(tx, { name: 'b', least: 3 })).toEqual([
          { id: 3, name: 'b' },
          { id: 4, name: 'b' },
        ]);
      });
    });
  });
});
