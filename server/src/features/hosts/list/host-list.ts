import type { ListedHost } from '@signalbox/contract';
import type { Database } from '../../../database/database.ts';
import { type HostList, pageOfHosts } from './host-list.query.ts';
import { readMoments } from './host-moments.ts';
import { outcomeOfRank } from './host-state.ts';

/** Lists hosts of a project as a caller may see them, with their total number. */
export const listHosts = async (
  database: Database,
  list: HostList,
): Promise<{ total: number; hosts: ListedHost[] }> => {
  const { total, page } = await pageOfHosts(database, list);
  const moments = await readMoments(
    database.readApart,
    page.map(({ id }) => id),
    list.hidden,
  );
  const hosts = page.flatMap(({ id, rank, templates, failed }): ListedHost[] => {
    const host = moments.get(id);
    if (!host) return [];
    return [{ ...host, outcome: outcomeOfRank(rank), template_count: templates, failed_count: failed }];
  });
  return { total, hosts };
};
