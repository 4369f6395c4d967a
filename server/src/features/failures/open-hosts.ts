import type { Failure } from '@signalbox/contract';
import { sql } from 'kysely';
import type { StateReader } from '../../database/database.ts';
import { decodeHosts } from './host-lines.ts';

interface OfTemplate {
  readonly failure_id: number;
  readonly template_id: number;
}

/** The hosts by name on which a failure of a template is not fixed. Undefined if they are not known. */
export const readOpenHosts = async (
  db: StateReader,
  { failure_id, template_id }: OfTemplate,
): Promise<string[] | undefined> => {
  const row = await db
    .selectFrom('failure_template as l')
    // Earlier versions did not store them. Then they are those of the last task.
    .leftJoin('task_failure as t', (join) =>
      join.onRef('t.failure_id', '=', 'l.failure_id').onRef('t.task_id', '=', 'l.last_task_id'),
    )
    .select(['l.open_count', 'l.open_hosts', 't.host_lines'])
    .where('l.failure_id', '=', failure_id)
    .where('l.template_id', '=', template_id)
    .executeTakeFirst();
  if (!row || row.open_count === 0) return [];
  const stored = row.open_hosts ?? row.host_lines;
  return stored === null ? undefined : decodeHosts(stored);
};

/** The hosts by name on which a failure is not fixed in its template. */
export const openHosts = async (db: StateReader, { id, template_id }: Pick<Failure, 'id' | 'template_id'>) =>
  (await readOpenHosts(db, { failure_id: id, template_id })) ?? [];

/** Hosts per query. */
const HOSTS = 500;

/** Those of the hosts that no inventory of the project has any more. */
export const vanishedHosts = async (
  db: StateReader,
  projectId: number,
  hosts: readonly string[],
): Promise<ReadonlySet<string>> => {
  const found = new Set<string>();
  for (let at = 0; at < hosts.length; at += HOSTS) {
    const rows = await db
      .selectFrom('host')
      .innerJoin('host_inventory', 'host_inventory.host_id', 'host.id')
      .select('host.host')
      .where('host.project_id', '=', projectId)
      .where('host.host', 'in', hosts.slice(at, at + HOSTS))
      .groupBy('host.host')
      .having(sql`count(host_inventory.vanished)`, '=', sql`count(*)`)
      .execute();
    for (const { host } of rows) found.add(host);
  }
  return found;
};
