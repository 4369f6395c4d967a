import type { FactName, FactOperator, HostOrder, HostState } from '@signalbox/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from './call.ts';
import { queryKey } from './keys.ts';

/** Number of hosts on a page of the list. */
export const HOSTS_PAGE = 20;
/** Number of hosts in one request for all of them. */
const CHUNK = 1000;

/** Which hosts the list shows, and in which order. */
export interface HostListFilter {
  readonly name?: string | undefined;
  readonly group?: string | undefined;
  readonly template_id?: number | undefined;
  readonly result?: HostState | undefined;
  readonly untouched_days?: number | undefined;
  readonly fact?: FactName | undefined;
  readonly fact_operator?: FactOperator | undefined;
  readonly fact_value?: string | undefined;
  readonly vanished?: 'true' | 'false' | undefined;
  readonly sort: HostOrder;
  readonly order: 'asc' | 'desc';
}

/** A page of the hosts of a project. Pages count from 0. */
export const hostListQuery = (project_id: number, filter: HostListFilter, page: number) =>
  queryOptions({
    queryKey: [...queryKey.hosts(project_id), filter, page],
    queryFn: ({ signal }) =>
      call('listHosts', {
        params: { project_id },
        query: { ...filter, from: page * HOSTS_PAGE + 1, limit: HOSTS_PAGE },
        signal,
      }),
    placeholderData: keepPreviousData,
  });

interface MatchingHost {
  readonly id: number;
  readonly host: string;
  readonly vanished_since: string | null;
}

interface MatchingHosts {
  readonly hosts: MatchingHost[];
  /** Whether the names of all matching hosts have more characters than wanted: the last hosts are missing. */
  readonly isCut: boolean;
}

/** Reads the matching hosts in their order, until their names have more characters than wanted. */
export const readMatchingHosts = async (
  project_id: number,
  filter: HostListFilter,
  characters: number,
): Promise<MatchingHosts> => {
  const found: MatchingHost[] = [];
  let length = 0;
  for (let from = 1; ; from += CHUNK) {
    const { hosts, total } = await call('listHosts', {
      params: { project_id },
      query: { ...filter, from, limit: CHUNK },
    });
    for (const { id, host, vanished_since } of hosts) {
      length += host.length + 1;
      if (length > characters + 1) return { hosts: found, isCut: true };
      found.push({ id, host, vanished_since });
    }
    if (hosts.length === 0 || from + CHUNK > total) return { hosts: found, isCut: false };
  }
};

/** The groups of the hosts of a project, and the values of a fact, to choose from. */
export const hostChoicesQuery = (project_id: number, fact?: FactName, part?: string) =>
  queryOptions({
    queryKey: [...queryKey.hosts(project_id), 'choices', fact, part],
    queryFn: ({ signal }) =>
      call('listHostChoices', {
        params: { project_id },
        query: { fact, ...(part === undefined || part === '' ? {} : { part }) },
        signal,
      }),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
