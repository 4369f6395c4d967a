import { call } from '../../../api/call.ts';

/** Number of hosts in one request. */
const PAGE = 1000;

export interface ClusterParams {
  readonly project_id: number;
  readonly task_id: number;
  readonly fingerprint: string;
}

/** The names of all hosts of a cluster. */
export const clusterHosts = async (params: ClusterParams): Promise<string[]> => {
  const names: string[] = [];
  for (;;) {
    const { hosts, total } = await call('listFailureHosts', { params, query: { from: names.length + 1, limit: PAGE } });
    names.push(...hosts.map(({ host }) => host));
    if (hosts.length === 0 || names.length >= total) return names;
  }
};
