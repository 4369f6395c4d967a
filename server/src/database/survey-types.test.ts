import { Template } from '@signalbox/contract';
import type { Kysely } from 'kysely';
import { expect, it } from 'vitest';
import { presentTemplate } from '../features/templates/template.store.ts';
import { withOpenLocation } from '../testing/database/database-snapshot.ts';
import { describeEachEmptyDatabase } from '../testing/database/databases.ts';
import { fillFoundation } from '../testing/database/foundation-rows.ts';
import { migrateAll, STATE_STEPS } from './migrate.ts';

const FIRST = Object.fromEntries(Object.entries(STATE_STEPS).filter(([name]) => name === '0001-foundation'));

describeEachEmptyDatabase('[R13] templates of an older version', (makeLocation) => {
  it('get the fields and options that they lack, and surveys that cannot be read are left as they are', async () => {
    const rows = await withOpenLocation(await makeLocation(), async (database, logs) => {
      await migrateAll(database, logs, { state: FIRST });
      const db = database.autocommit as unknown as Kysely<never>;
      await fillFoundation(db);
      await (db as unknown as Kysely<{ template: { id: number; survey_vars: string } }>)
        .updateTable('template')
        .set({ survey_vars: 'broken' })
        .where('id', '=', 2)
        .execute();
      await migrateAll(database, logs);
      return await database.read.selectFrom('template').selectAll().orderBy('id').execute();
    });
    const [first, second] = rows;
    expect(second?.survey_vars).toBe('broken');
    expect(first && presentTemplate(first, null)).toMatchObject({
      options: { limit: '', runner_tags: [], priority: 0 },
      prompts: { limit: 'any', runner_tags: 'fixed', priority: 'fixed' },
    });
    expect(first && Template.parse(presentTemplate(first, null)).survey_vars).toEqual([
      {
        ...{ name: 'count', title: 'How many', description: '', type: 'int', required: true },
        ...{ default_value: '', placeholder: '', group: '', values: [], source: null, min: null, max: null },
        ...{ pattern: '', pattern_message: '', show_when: null },
      },
    ]);
  });
});
