import type { Task } from '@signalbox/contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { inventoryHostsQuery, templateQuery } from '../../../api/queries.ts';
import { nameFilter } from './matrix-filter.ts';

interface HostSearch {
  readonly fits: ((host: string) => boolean) | undefined;
  /** The groups of the inventory with their hosts, by their names in lower case; undefined if they are unknown. */
  readonly groups: ReadonlyMap<string, ReadonlySet<string>> | undefined;
  /** The names of the groups. */
  readonly groupNames: readonly string[];
  /** Whether the groups of the inventory are still being read. */
  readonly isLoading: boolean;
}

/** The hosts that a search means. The groups of the inventory are read when a search is entered; without a runner, only names count. */
export const useHostSearch = (task: Task, search: string): HostSearch => {
  const isEmpty = search.trim() === '';
  const { data: template, isLoading: isTemplateLoading } = useQuery({
    ...templateQuery(task.project_id, task.template_id),
    enabled: !isEmpty,
  });
  const inventory = task.inventory_id ?? template?.inventory_id ?? 0;
  const { data, isLoading } = useQuery({
    ...inventoryHostsQuery(task.project_id, inventory, template?.repository_id ?? 0),
    enabled: !isEmpty && inventory > 0 && (template?.repository_id ?? 0) > 0,
    retry: false,
    staleTime: 600_000,
  });
  const groups = useMemo(
    () =>
      new Map(
        (data?.groups ?? []).map(({ name, hosts }) => [
          name.toLowerCase(),
          new Set(hosts.map((host) => host.toLowerCase())),
        ]),
      ),
    [data],
  );
  const fits = useMemo(() => (isEmpty ? undefined : nameFilter(search, groups)), [isEmpty, search, groups]);
  const groupNames = (data?.groups ?? []).map(({ name }) => name);
  return { fits, groups: data && groups, groupNames, isLoading: isTemplateLoading || isLoading };
};
