import type { InventoryHosts, Template, TemplateHosts } from '@signalbox/contract';
import { useQuery } from '@tanstack/react-query';
import { errorText } from '../../../api/api-error.ts';
import { inventoryHostsQuery, templateHostsQuery } from '../../../api/queries.ts';

export interface LaunchHosts {
  readonly inventory: InventoryHosts | undefined;
  readonly runs: TemplateHosts | undefined;
  readonly isBusy: boolean;
  /** Why the hosts of the inventory are not known. */
  readonly failure: string | undefined;
  readonly retry: () => void;
}

/**
 * The hosts of an inventory, which a runner reads, and how the newest run of the template ended on each.
 * @param isNeeded false reads nothing
 */
export const useHosts = (template: Template, inventoryId: string | null, isNeeded: boolean): LaunchHosts => {
  const { project_id: project } = template;
  const hosts = useQuery({
    ...inventoryHostsQuery(project, Number(inventoryId), template.repository_id),
    enabled: isNeeded && inventoryId !== null,
    // A runner reads them again each time; typing in the form must not.
    staleTime: 60_000,
    retry: false,
  });
  const runs = useQuery({ ...templateHostsQuery(project, template.id), enabled: isNeeded });
  return {
    inventory: hosts.data,
    runs: runs.data,
    isBusy: hosts.isFetching,
    failure: hosts.error && !hosts.isFetching ? errorText(hosts.error) : undefined,
    retry: () => void hosts.refetch(),
  };
};
