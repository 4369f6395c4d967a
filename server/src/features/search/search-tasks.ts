import { MAX_HITS, MAX_ID, type SearchHit } from '@signalbox/contract';
import { type SqlBool, sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import { newestOf } from '../../database/queries/newest-of.ts';
import { type SearchScope, visible } from './named-objects.ts';

/** Number of newest tasks whose messages are searched. */
const SEARCHED_TASKS = 20_000;
/** Number of tasks of each template whose name matches. */
const OF_TEMPLATE = 4;

/** The task number in a text such as 12 or #12. */
const numberIn = (terms: readonly string[]): number | undefined => {
  const digits = terms.length === 1 ? /^#?([1-9]\d{0,9})$/.exec(terms[0] ?? '')?.[1] : undefined;
  return digits === undefined || Number(digits) > MAX_ID ? undefined : Number(digits);
};

const idsOfTemplates = async (database: Database, templates: readonly SearchHit[]): Promise<number[]> => {
  const found = await Promise.all(
    templates.map(({ id }) =>
      newestOf(database, database.read.selectFrom('task').select('id'), 'task', { template_id: id })
        .limit(OF_TEMPLATE)
        .execute(),
    ),
  );
  return found.flat().map(({ id }) => id);
};

const idsOfMessages = async ({ read, capabilities }: Database, scope: SearchScope): Promise<number[]> => {
  const message = sql.ref('task.message');
  const rows = await read
    .selectFrom('task')
    .select('id')
    .where('message', '!=', '')
    .where(sql<SqlBool>`task.id > (select coalesce(max(newest.id), 0) - ${sql.lit(SEARCHED_TASKS)} from task newest)`)
    .where((eb) => eb.and([...scope.terms.map((term) => capabilities.matches(message, term, 'part'))]))
    .where((eb) => eb.and(visible('task', scope, 'template_id')))
    .orderBy(sql`case when task.project_id = ${scope.first} then 0 else 1 end`)
    .orderBy('id', 'desc')
    .limit(MAX_HITS)
    .execute();
  return rows.map(({ id }) => id);
};

/**
 * Finds tasks by number, by their message, and the newest ones of templates. The task with the number comes first, then
 * those of the current project, the newest first.
 */
export const findTasks = async (
  database: Database,
  scope: SearchScope,
  templates: readonly SearchHit[],
): Promise<SearchHit[]> => {
  const number = numberIn(scope.terms);
  const [ofTemplates, ofMessages] = await Promise.all([
    idsOfTemplates(database, templates),
    idsOfMessages(database, scope),
  ]);
  const ids = [...new Set([...(number === undefined ? [] : [number]), ...ofTemplates, ...ofMessages])];
  if (ids.length === 0) return [];
  const rows = await database.read
    .selectFrom('task')
    .innerJoin('project', 'project.id', 'task.project_id')
    .select(['task.id', 'task.project_id', 'project.name as project_name', 'task.tpl_alias as name'])
    .select(['task.message as detail', 'task.status'])
    .where('task.id', 'in', ids)
    .where((eb) => eb.and(visible('task', scope, 'template_id')))
    .execute();
  const rank = (hit: { id: number; project_id: number }) =>
    hit.id === number ? 0 : hit.project_id === scope.first ? 1 : 2;
  return rows
    .toSorted((a, b) => rank(a) - rank(b) || b.id - a.id)
    .slice(0, MAX_HITS)
    .map((row) => ({ ...row, kind: 'task' }));
};
