import type { FactName, HostChoices } from '@signalbox/contract';
import { sql } from 'kysely';
import type { Database } from '../../../database/database.ts';
import type { Hidden } from './host-filter.ts';

/** Most groups, and most values of a fact, in one answer. */
const MOST = 100;

interface Wanted {
  readonly projectId: number;
  readonly fact: FactName | undefined;
  /** Only groups and values that contain this text. */
  readonly text: string | undefined;
  readonly hidden: Hidden;
}

/**
 * The groups of the hosts of a project, and the values of a fact, each with the most frequent ones first. Each template that
 * reported one counts, because finding the last report of each host takes several times as long.
 */
export const readHostChoices = async (
  { readApart: db, capabilities }: Database,
  { projectId, fact, text, hidden }: Wanted,
): Promise<HostChoices> => {
  const templates = db
    .selectFrom('template')
    .select('id')
    .where('project_id', '=', projectId)
    .$if(hidden.size > 0, (query) => query.where('id', 'not in', [...hidden]));
  const contains = (column: string) => capabilities.matches(sql.ref(column), text ?? '', 'part');
  const groups = await db
    .selectFrom('host_group')
    .select('name')
    .where('template_id', 'in', templates)
    .$if(text !== undefined, (query) => query.where(contains('name')))
    .groupBy('name')
    .orderBy(sql`count(*)`, 'desc')
    .orderBy('name')
    .limit(MOST)
    .execute();
  if (fact === undefined) return { groups: groups.map(({ name }) => name), values: [] };
  const values = await db
    .selectFrom('host_fact_value')
    .select('value')
    .where('fact', '=', fact)
    .where('template_id', 'in', templates)
    .$if(text !== undefined, (query) => query.where(contains('value')))
    .groupBy('value')
    .orderBy(sql`count(*)`, 'desc')
    .orderBy('value')
    .limit(MOST)
    .execute();
  return { groups: groups.map(({ name }) => name), values: values.map(({ value }) => value) };
};
