import type { Kysely } from 'kysely';
import { expect, it } from 'vitest';
import { withOpenLocation } from '../testing/database/database-snapshot.ts';
import { describeEachEmptyDatabase } from '../testing/database/databases.ts';
import { fillFoundation } from '../testing/database/foundation-rows.ts';
import { migrateAll, STATE_STEPS } from './migrate.ts';

const stepsBefore = (end: string) =>
  Object.fromEntries(Object.entries(STATE_STEPS).filter(([name]) => name === '0001-foundation' || name < end));

describeEachEmptyDatabase('[R13] failures of an older version', (makeLocation) => {
  it('count as fixed by the last run of their template if it did not have them', async () => {
    const rows = await withOpenLocation(await makeLocation(), async (database, logs) => {
      await migrateAll(database, logs, { state: stepsBefore('0001-z') });
      await fillFoundation(database.autocommit as unknown as Kysely<never>);
      await migrateAll(database, logs, { state: stepsBefore('0107') });
      const { autocommit } = database;
      await autocommit.updateTable('task').set({ status: 'success' }).where('id', 'in', [1, 2, 3]).execute();
      await (autocommit as unknown as Kysely<{ task: { dry_run: number; id: number } }>)
        .updateTable('task')
        .set({ dry_run: 0 })
        .where('id', 'in', [1, 2])
        .execute();
      const common = { project_id: 1, result: 'failed', cause: null, action: 'apt', step: 'Upgrade' } as const;
      const seen = { template_id: 1, times: 1, streak: 1, since: '', last: '', first_task_id: 1, hosts: 1 };
      for (const [title, last_task_id, fixed_by] of [
        ['left', 1, null],
        ['fixed', 1, 7],
        ['open', 2, null],
      ] as const) {
        const { id: failure_id } = await autocommit
          .insertInto('failure')
          .values({ ...common, title, fingerprint: title })
          .returning('id')
          .executeTakeFirstOrThrow();
        const row = { ...seen, failure_id, last_task_id, title, step: 'Upgrade' };
        await autocommit.insertInto('failure_template').values(row).execute();
        if (fixed_by !== null)
          await autocommit
            .updateTable('failure_template')
            .set({ fixed_by })
            .where('failure_id', '=', failure_id)
            .execute();
      }
      await migrateAll(database, logs);
      return await database.read
        .selectFrom('failure_template')
        .select(['title', 'fixed_by', 'open_count'])
        .orderBy('failure_id')
        .execute();
    });
    expect(rows).toEqual([
      { title: 'left', fixed_by: 2, open_count: 0 },
      { title: 'fixed', fixed_by: 7, open_count: 0 },
      { title: 'open', fixed_by: null, open_count: 1 },
    ]);
  });
});
