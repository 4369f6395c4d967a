import { type Kysely, sql } from 'kysely';

/**
 * For a migration, the name of an earlier one or its own: servers that do not know that one cannot use the database
 * afterwards. A migration without a requirement only adds, so servers of the last release continue.
 */
export type Requirements = Readonly<Record<string, string>>;

/** The table of the requirements, and the migration that creates it. Requirements of earlier ones are not stored. */
export const REQUIREMENT_TABLE = 'migration_requirement';
const SINCE = '0079';

/** Stores the requirement of a migration, in its transaction. */
export const storeRequirement = async (db: Kysely<unknown>, name: string, requires: string | undefined) => {
  if (requires === undefined || name < SINCE) return;
  await sql`insert into ${sql.table(REQUIREMENT_TABLE)} (name, requires) values (${name}, ${requires})`.execute(db);
};

/** The requirements of the migrations that a database has. Empty for a database from before them. */
const readRequirements = async (db: Kysely<unknown>): Promise<Map<string, string>> => {
  const tables = await db.introspection.getTables();
  if (!tables.some(({ name }) => name === REQUIREMENT_TABLE)) return new Map();
  const { rows } = await sql<{ name: string; requires: string }>`
    select name, requires from ${sql.table(REQUIREMENT_TABLE)}`.execute(db);
  return new Map(rows.map(({ name, requires }) => [name, requires]));
};

/** Whether a server that knows some migrations can use a database that has others, of newer versions. */
export const isUsable = async (
  db: Kysely<unknown>,
  others: readonly string[],
  isKnown: (name: string) => boolean,
): Promise<boolean> => {
  if (others.length === 0) return true;
  // A migration from before the requirements, which this version does not have, is from another product line.
  if (others.some((name) => name < SINCE)) return false;
  const requirements = await readRequirements(db);
  return others.every((name) => {
    const requires = requirements.get(name);
    return requires === undefined || isKnown(requires);
  });
};
