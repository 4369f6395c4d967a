import { call } from '../../../api/call.ts';

/** Number of hosts in one request. */
const PAGE = 1000;

export interface ClusterParams {
  readonly project_id: number;
  readonly task_id: number;
  readonly fingerprint: string;
}

type PageOfHosts = { readonly hosts: readonly string[]; readonly total: number };

const allPages = async (load: (query: { from: number; limit: number }) => Promise<PageOfHosts>): Promise<string[]> => {
  const names: string[] = [];
  for (;;) {
    const { hosts, total } = await load({ from: names.length + 1, limit: PAGE });
    names.push(...hosts);
    if (hosts.length === 0 || names.length >= total) return names;
  }
};

/** The names of all hosts of a cluster. */
export const clusterHosts = (params: ClusterParams): Promise<string[]> =>
  allPages(async (query) => {
    const { hosts, total } = await call('listFailureHosts', { params, query });
    return { total, hosts: hosts.map(({ host }) => host) };
  });

/** The names of all hosts on which a failure of a project is not fixed in a template. */
export const openHosts = (
  params: Readonly<Record<'project_id' | 'failure_id', number>>,
  template_id: number,
): Promise<string[]> => allPages((query) => call('listOpenHosts', { params, query: { ...query, template_id } }));
