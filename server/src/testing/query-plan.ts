import { type Compilable, CompiledQuery, sql } from 'kysely';
import type { Database } from '../database/database.ts';

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly Plans?: readonly PlanNode[];
}

/** Rows that the last page of a list may read or sort by another way. */
const PAGE = 200;
/** Of 8 kB: what finding the place costs, and each row with what is shown beside it. */
const BLOCKS = 30;
const BLOCKS_A_ROW = 6;
const GROWING = new Set(['task', 'event']);

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** What of a plan of PostgreSQL, which has just been carried out, grows with the table. */
const postgresNodeProblems = (plan: PlanNode): string[] =>
  nodesOf(plan).flatMap((node) => {
    const type = node['Node Type'];
    const thrownAway = (node['Rows Removed by Filter'] ?? 0) * node['Actual Loops'];
    const name = node['Relation Name'] ?? '';
    // The few users and projects may be read whole.
    if (/^Seq Scan/.test(type)) return GROWING.has(name) ? [`${type} on ${name}`] : [];
    const taken = /Sort/.test(type) ? (node.Plans?.[0]?.['Actual Rows'] ?? 0) : node['Actual Rows'];
    if (/Sort|^Bitmap/.test(type)) return taken > PAGE ? [`${type} of ${taken} rows`] : [];
    return thrownAway > PAGE && GROWING.has(name) ? [`${type} that reads ${thrownAway} rows too many`] : [];
  });

/** An index that is read in vain throws away no row: it shows in the blocks that were read. */
const postgresProblems = (plan: PlanNode): string[] => {
  const blocks = plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
  const most = BLOCKS + BLOCKS_A_ROW * plan['Actual Rows'];
  return [...postgresNodeProblems(plan), ...(blocks > most ? [`reads ${blocks} blocks, not ${most}`] : [])];
};

/** What of a plan of SQLite grows with the table: it must seek in an index by every value, and end at the id. */
const sqliteProblems = (lines: readonly string[], columns: readonly string[]): string[] => {
  const seeks = new RegExp(` USING INDEX \\w+ \\(${columns.map((name) => `${name}=\\? AND `).join('')}id<\\?\\)$`);
  return [
    ...(lines.some((line) => seeks.test(line)) ? [] : lines),
    ...lines.filter((line) => /^SCAN|TEMP B-TREE/.test(line)),
  ];
};

const explain = async <R>(database: Database, query: Compilable, keyword: string): Promise<R[]> => {
  const { sql: text, parameters } = query.compile();
  return (await database.read.executeQuery<R>(CompiledQuery.raw(`${keyword} ${text}`, [...parameters]))).rows;
};

const sqlitePlan = async (database: Database, query: Compilable): Promise<string[]> =>
  (await explain<{ detail: string }>(database, query, 'explain query plan')).map(({ detail }) => detail);

const postgresPlans = async (database: Database, query: Compilable): Promise<PlanNode[]> => {
  type Row = { 'QUERY PLAN': readonly { Plan: PlanNode }[] };
  const rows = await explain<Row>(database, query, 'explain (analyze, buffers, format json)');
  return rows.flatMap((row) => row['QUERY PLAN'].map(({ Plan }) => Plan));
};

/**
 * Everything in the plan of a newest-first list that makes it cost more than its page; empty is good.
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

/** Lets the planner know what is stored, where the database does so by itself in its own time. */
export const countRows = async ({ read, capabilities }: Database): Promise<void> => {
  if (capabilities.name === 'postgres') await sql`analyze`.execute(read);
};
