import { expect, it } from 'vitest';
import { describeEachEmptyDatabase } from '../testing/database/databases.ts';
import { recordedStatements } from '../testing/database/recorded-statements.ts';
import { STATE_STEPS, type Step, type Steps } from './migrate.ts';
import { REQUIREMENTS } from './migrations/requirements.ts';
import { LARGE_TABLES, REWRITTEN_TABLES } from './migrations/rewritten-tables.ts';

/** Statements after which a server that does not know them may fail. Indexes may be dropped. */
const BREAKING = [
  /\bdrop (table|column|view)\b/i,
  /\brename\b/i,
  /\balter (column|type)\b/i,
  /\bset not null\b/i,
  // A server that does not know the column cannot insert rows.
  /\badd column (?!.*\bdefault\b).*\bnot null\b/i,
];

/** A statement that reads or changes every row of a table, whose name it captures. */
const REWRITING = [
  /^\s*update "?(\w+)"?/i,
  /^create (?:unique )?index .* on "?(\w+)"?/i,
  /^\s*insert into .* select .* from "?(\w+)"?/is,
];

type Recorded = Awaited<ReturnType<typeof recordedStatements>>;

const breakingIn = (recorded: Recorded): Map<string, readonly string[]> =>
  new Map(
    [...recorded]
      .map(([name, all]) => [name, all.filter((text) => BREAKING.some((one) => one.test(text)))] as const)
      .filter(([, all]) => all.length > 0),
  );

/** The large tables that each step rewrites, without those that it creates. */
const rewrittenIn = (recorded: Recorded): Record<string, string[]> => {
  const rewritten: Record<string, string[]> = {};
  for (const [name, all] of recorded) {
    const created = new Set(all.flatMap((text) => /^create table (?:if not exists )?"?(\w+)"?/i.exec(text)?.[1] ?? []));
    const tables = all.flatMap((text) => REWRITING.flatMap((one) => one.exec(text)?.[1] ?? []));
    const others = [...new Set(tables)].filter((table) => LARGE_TABLES.includes(table) && !created.has(table));
    if (others.length > 0) rewritten[name] = others;
  }
  return rewritten;
};

const renaming: Step = async (db) => {
  await db.schema.alterTable('project').renameColumn('name', 'title').execute();
};
const dropping: Step = async (db) => {
  await db.schema.alterTable('project').dropColumn('alert_chat').execute();
};

describeEachEmptyDatabase('[R13] a migration', (makeLocation) => {
  const record = async (steps: Steps) => await recordedStatements(await makeLocation(), steps);

  it('that drops or renames something has a requirement, so that servers of older versions refuse the database', async () => {
    const breaking = breakingIn(await record(STATE_STEPS));
    expect([...breaking].filter(([name]) => REQUIREMENTS[name] === undefined)).toEqual([]);
  });

  it('that drops or renames something is found', async () => {
    const breaking = breakingIn(await record({ ...STATE_STEPS, '9998-rename': renaming, '9999-drop': dropping }));
    expect(breaking.get('9998-rename')).toEqual([expect.stringMatching(/rename/i)]);
    expect(breaking.get('9999-drop')).toEqual([expect.stringMatching(/drop column/i)]);
  });

  it('that reads or changes every row of a large table names it for the estimate of its time', async () => {
    for (const [name, tables] of Object.entries(rewrittenIn(await record(STATE_STEPS))))
      expect({ [name]: REWRITTEN_TABLES[name] }).toEqual({ [name]: expect.arrayContaining(tables) });
  });

  it('requires itself or an earlier migration', () => {
    for (const [name, requires] of Object.entries(REQUIREMENTS)) {
      expect(Object.keys(STATE_STEPS)).toEqual(expect.arrayContaining([name, requires]));
      expect(requires <= name).toBe(true);
    }
  });
});
