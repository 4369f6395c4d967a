import { MAX_HITS, type SearchHit, type SearchKind, type TaskStatus } from '@signalbox/contract';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Database } from '../../database/database.ts';

/** The terms of a search, and the objects that it may find. */
export interface SearchScope {
  /** Parts of a name, each of which must be in it. */
  readonly terms: readonly string[];
  /** Ids of the projects; undefined for all. */
  readonly projects: readonly number[] | undefined;
  /** Id of the project whose objects come first. */
  readonly first: number;
  /** Ids of the templates that the caller must not see. */
  readonly hidden: readonly number[];
}

type Condition = RawBuilder<SqlBool>;

/** The tables that are searched by name, in the order of the hits. Templates are the first. */
const TABLES = [
  { kind: 'template', table: 'template', name: 'name', templateId: 'id' },
  { kind: 'host', table: 'host', name: 'host' },
  { kind: 'inventory', table: 'inventory', name: 'name' },
  { kind: 'key', table: 'access_key', name: 'name' },
  { kind: 'repository', table: 'repository', name: 'name' },
  { kind: 'environment', table: 'environment', name: 'name' },
  { kind: 'schedule', table: 'schedule', name: 'name', templateId: 'template_id' },
] as const satisfies readonly { kind: SearchKind; table: string; name: string; templateId?: string }[];

const all = (conditions: readonly Condition[]): Condition => sql.join([...conditions], sql` and `);

/** Leaves out what the caller must not see. */
export const visible = (
  table: string,
  { projects, hidden }: SearchScope,
  templateId: string | undefined,
): Condition[] => [
  ...(projects ? [sql<SqlBool>`${sql.ref(`${table}.project_id`)} in (${sql.join([...projects])})`] : []),
  ...(templateId !== undefined && hidden.length > 0
    ? [sql<SqlBool>`${sql.ref(`${table}.${templateId}`)} not in (${sql.join([...hidden])})`]
    : []),
];

const findIn = async (
  { read, capabilities }: Database,
  scope: SearchScope,
  { kind, table, name, ...more }: (typeof TABLES)[number],
): Promise<SearchHit[]> => {
  const column = sql.ref(`${table}.${name}`);
  const matches = scope.terms.map((term) => capabilities.matches(column, term, 'part'));
  const startsWith = (text: string) => capabilities.matches(column, text, 'start');
  const [whole, first] = [startsWith(scope.terms.join(' ')), startsWith(scope.terms[0] ?? '')];
  const detail =
    kind === 'schedule'
      ? sql<string>`(select t.name from template t where t.id = schedule.template_id)`
      : sql<string>`''`;
  const status =
    kind === 'template'
      ? sql<TaskStatus | null>`(select t.status from task t where t.id = template.last_task_id)`
      : sql<null>`null`;
  const rows = await read
    // All these tables have an id and a project.
    .selectFrom(table as 'view')
    .innerJoin('project', (join) => join.on(sql<SqlBool>`project.id = ${sql.ref(`${table}.project_id`)}`))
    .select([sql.ref<number>(`${table}.id`).as('id'), sql.ref<number>(`${table}.project_id`).as('project_id')])
    .select(['project.name as project_name', sql<string>`${column}`.as('name'), detail.as('detail')])
    .select(status.as('status'))
    .where(all([...matches, ...visible(table, scope, 'templateId' in more ? more.templateId : undefined)]))
    .orderBy(sql`case when ${sql.ref(`${table}.project_id`)} = ${scope.first} then 0 else 1 end`)
    // So that many names with the same first term do not displace the one that was typed whole.
    .orderBy(sql`case when ${whole} then 0 when ${first} then 1 else 2 end`)
    .orderBy(column)
    .orderBy(sql.ref(`${table}.id`))
    .limit(MAX_HITS)
    .execute();
  return rows.map((row) => ({ ...row, kind }));
};

/** Finds objects by parts of their names: first those of the current project, then those whose name starts with the text, then with its first term. */
export const findNamed = (database: Database, scope: SearchScope): Promise<SearchHit[][]> =>
  Promise.all(TABLES.map((table) => findIn(database, scope, table)));
