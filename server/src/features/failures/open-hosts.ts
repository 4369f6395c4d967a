import type { Failure } from '@signalbox/contract';
import type { StateReader } from '../../database/database.ts';
import { decodeHosts } from './host-lines.ts';

/** The hosts of a run by name. */
export interface HostsOfRun {
  readonly reached: Set<string>;
  readonly unreachable: Set<string>;
}

/**
 * The hosts on which a failure is not fixed after a later run.
 * @param before the hosts on which it was not fixed before the run
 * @param isLimited Whether the run was limited to some hosts: it shows nothing about the others. Else hosts that the run does
 * not have were removed, if it has any of them.
 */
export const openAfter = (
  before: readonly string[],
  { reached, unreachable }: HostsOfRun,
  { isLimited }: { readonly isLimited: boolean },
): string[] => {
  if (isLimited || !before.some((host) => reached.has(host))) return before.filter((host) => !reached.has(host));
  return before.filter((host) => unreachable.has(host));
};

const collator = new Intl.Collator('en', { numeric: true });

/** The hosts by name on which a failure is not fixed in its template. */
export const openHosts = async (
  db: StateReader,
  { id, template_id, trend }: Pick<Failure, 'id' | 'template_id' | 'trend'>,
): Promise<string[]> => {
  if (trend === 'gone') return [];
  const row = await db
    .selectFrom('failure_template as l')
    .leftJoin('task_failure as t', (join) =>
      join.onRef('t.failure_id', '=', 'l.failure_id').onRef('t.task_id', '=', 'l.last_task_id'),
    )
    .select(['l.last_task_id', 'l.open_after', 'l.open_hosts', 't.host_lines'])
    .where('l.failure_id', '=', id)
    .where('l.template_id', '=', template_id)
    .executeTakeFirst();
  if (!row) return [];
  const stored = row.open_after !== null && row.open_after >= row.last_task_id ? row.open_hosts : row.host_lines;
  return stored === null ? [] : decodeHosts(stored).sort(collator.compare);
};
