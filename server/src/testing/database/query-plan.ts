import { type Compilable, CompiledQuery, type KyselyPlugin, sql } from 'kysely';
import { Database } from '../../database/database.ts';

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly Alias?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly Plans?: readonly PlanNode[];
}

/** Maximum number of rows that the last page of a list may read or sort with another plan. */
const PAGE = 200;
/** Blocks of 8 kB: for finding the position, and for each row with the values that it shows. */
const BLOCKS = 30;
const BLOCKS_A_ROW = 6;
const GROWING = new Set(['task', 'event']);

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** Returns the parts of an executed PostgreSQL plan whose cost grows with the table. */
const postgresNodeProblems = (plan: PlanNode): string[] =>
  nodesOf(plan).flatMap((node) => {
    const type = node['Node Type'];
    const thrownAway = (node['Rows Removed by Filter'] ?? 0) * node['Actual Loops'];
    const name = node['Relation Name'] ?? '';
    // Small tables such as users and projects may be read completely.
    if (/^Seq Scan/.test(type)) return GROWING.has(name) ? [`${type} on ${name}`] : [];
    const taken = /Sort/.test(type) ? (node.Plans?.[0]?.['Actual Rows'] ?? 0) : node['Actual Rows'];
    if (/Sort|^Bitmap/.test(type)) return taken > PAGE ? [`${type} of ${taken} rows`] : [];
    return thrownAway > PAGE && GROWING.has(name) ? [`${type} that reads ${thrownAway} rows too many`] : [];
  });

/** Reading an index in vain discards no rows, but shows in the number of blocks. */
const postgresProblems = (plan: PlanNode): string[] => {
  const blocks = plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
  const most = BLOCKS + BLOCKS_A_ROW * plan['Actual Rows'];
  return [...postgresNodeProblems(plan), ...(blocks > most ? [`reads ${blocks} blocks, not ${most}`] : [])];
};

/**
 * Returns the parts of a SQLite plan whose cost grows with the table. It must search an index by every value, ending
 * with the id.
 */
const sqliteProblems = (lines: readonly string[], columns: readonly string[]): string[] => {
  const seeks = new RegExp(
    ` USING INDEX \\w+ \\(${columns.map((name) => `${name}=\\? AND `).join('')}(?:id>\\? AND )?id<\\?\\)$`,
  );
  return [
    ...(lines.some((line) => seeks.test(line)) ? [] : lines),
    ...lines.filter((line) => /^SCAN|TEMP B-TREE/.test(line)),
  ];
};

const explain = async <R>(database: Database, query: Compilable, keyword: string): Promise<R[]> => {
  const { sql: text, parameters } = query.compile();
  return (await database.autocommit.executeQuery<R>(CompiledQuery.raw(`${keyword} ${text}`, [...parameters]))).rows;
};

const sqlitePlan = async (database: Database, query: Compilable): Promise<string[]> =>
  (await explain<{ detail: string }>(database, query, 'explain query plan')).map(({ detail }) => detail);

const postgresPlans = async (
  database: Database,
  query: Compilable,
  keyword = 'explain (analyze, buffers, format json)',
): Promise<PlanNode[]> => {
  type Row = { 'QUERY PLAN': readonly { Plan: PlanNode }[] };
  const rows = await explain<Row>(database, query, keyword);
  return rows.flatMap((row) => row['QUERY PLAN'].map(({ Plan }) => Plan));
};

/**
 * Returns everything in the plan of a newest-first list that costs more than its page; empty for a good plan.
 * @param columns of the index that the database should use, before the id
 */
export const planProblems = async (
  database: Database,
  query: Compilable,
  columns: readonly string[],
): Promise<string[]> => {
  if (database.capabilities.name === 'sqlite') return sqliteProblems(await sqlitePlan(database, query), columns);
  return (await postgresPlans(database, query)).flatMap(postgresProblems);
};

/**
 * Returns the steps in the plan of a newest-of-each query that cost more than its rows; empty for a good plan.
 * @param rows maximum number of rows of the list
 */
export const eachPlanProblems = async (database: Database, query: Compilable, rows: number): Promise<string[]> => {
  if (database.capabilities.name === 'sqlite')
    return (await sqlitePlan(database, query)).filter((line) => /^SCAN|TEMP B-TREE/.test(line));
  const plans = await postgresPlans(database, query);
  return plans.flatMap((plan) => {
    const blocks = plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
    const most = BLOCKS + BLOCKS_A_ROW * rows;
    return [...postgresNodeProblems(plan), ...(blocks > most ? [`reads ${blocks} blocks, not ${most}`] : [])];
  });
};

/** A database that runs every statement in the given one, and the statements that it ran. */
export const recordStatements = (database: Database) => {
  const statements: Compilable[] = [];
  const recorder: KyselyPlugin = {
    transformQuery: ({ node, queryId }) => {
      statements.push({ compile: () => database.autocommit.getExecutor().compileQuery(node, queryId) });
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  return { recorded: new Database(database.autocommit.withPlugin(recorder), database.capabilities), statements };
};

const postgresIndexes = (plans: readonly PlanNode[], alias: string): string[] =>
  plans.flatMap(nodesOf).flatMap((node) => {
    if (node['Node Type'] === 'ModifyTable') return [];
    // PostgreSQL numbers the aliases that a statement uses more than once.
    if (node.Alias !== alias && !node.Alias?.startsWith(`${alias}_`)) return [];
    return nodesOf(node).find((one) => one['Index Name'])?.['Index Name'] ?? node['Node Type'];
  });

/** Returns the indexes with which a statement reads a table, by the alias of the table. It is not executed. */
export const indexesUsed = async (database: Database, statement: Compilable, alias: string): Promise<string[]> => {
  if (database.capabilities.name === 'postgres')
    return postgresIndexes(await postgresPlans(database, statement, 'explain (format json)'), alias);
  const read = new RegExp(`^(?:SCAN|SEARCH) ${alias}\\b(?: USING (?:COVERING )?INDEX (\\w+))?`);
  return (await sqlitePlan(database, statement)).flatMap((line) => {
    const found = read.exec(line);
    return found ? [found[1] ?? line] : [];
  });
};

/** Updates the statistics of the planner, if the database does not do so at once. */
export const countRows = async ({ autocommit, capabilities }: Database): Promise<void> => {
  if (capabilities.name === 'postgres') await sql`analyze`.execute(autocommit);
};

/** Cleans up the tables as the autovacuum of PostgreSQL does after many writes. Until then it trusts an index less. */
export const vacuum = async ({ autocommit, capabilities }: Database): Promise<void> => {
  if (capabilities.name === 'postgres') await sql`vacuum analyze`.execute(autocommit);
};
