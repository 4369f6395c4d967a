import type { InventoryHosts, Template, TemplateHosts } from '@signalbox/contract';
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useMemo, useState } from 'react';
import { errorText } from '../../../api/api-error.ts';
import { inventoryHostsQuery, templateHostsQuery } from '../../../api/queries.ts';
import type { OptionValues } from '../options/option-values.ts';
import { matchHosts, readPattern, readTerm, typedTerms, writePattern } from './host-pattern.ts';

export interface LaunchHosts {
  readonly inventory: InventoryHosts | undefined;
  /** The text in the picker that is not yet part of the limit. It is, once the user leaves the picker. */
  readonly typed: string;
  readonly onTyped: (text: string) => void;
  /** Whether the limit or the typed text limits the hosts. */
  readonly isLimited: boolean;
  /**
   * The hosts that the limit selects with the typed text; undefined if they are not known, or only Ansible understands
   * the limit.
   */
  readonly matching: readonly string[] | undefined;
  readonly runs: TemplateHosts | undefined;
  readonly isBusy: boolean;
  /** Whether the run has an inventory whose hosts can be known. */
  readonly isCounted: boolean;
  /** Whether the limit selects none of the hosts, so that the run can't start. */
  readonly isEmpty: boolean;
  /** Why the hosts of the inventory are not known. */
  readonly failure: string | undefined;
  readonly retry: () => void;
}

/** The limit with the terms of a typed text. A sign alone, such as `!`, is no term. */
const withTyped = (inventory: InventoryHosts, limit: string, typed: string): string =>
  readTerm(typed.trim()).text === '' ? limit : writePattern([...readPattern(limit), ...typedTerms(inventory, typed)]);

/**
 * The hosts of an inventory, which a runner reads, and how the newest run of the template ended on each.
 * @param isNeeded false reads nothing
 */
export const useHosts = (
  template: Template,
  { inventory_id: inventoryId, limit }: Pick<OptionValues, 'inventory_id' | 'limit'>,
  isNeeded: boolean,
): LaunchHosts => {
  const { project_id: project } = template;
  const hosts = useQuery({
    ...inventoryHostsQuery(project, Number(inventoryId), template.repository_id),
    enabled: isNeeded && inventoryId !== null,
    // A runner reads them again each time; typing in the form must not.
    staleTime: 60_000,
    retry: false,
  });
  const runs = useQuery({ ...templateHostsQuery(project, template.id), enabled: isNeeded });
  const isCounted = isNeeded && inventoryId !== null;
  const inventory = isCounted ? hosts.data : undefined;
  // Deferred, because an inventory may have 10,000 hosts.
  const [typed, setTyped] = useState('');
  const pattern = inventory ? withTyped(inventory, limit, typed) : limit;
  const shown = useDeferredValue(pattern);
  const matching = useMemo(() => inventory && matchHosts(inventory, shown), [inventory, shown]);
  return {
    inventory,
    typed,
    onTyped: setTyped,
    isLimited: pattern.trim() !== '',
    matching,
    runs: runs.data,
    isBusy: hosts.isFetching,
    isCounted,
    // Ansible runs plays for localhost without any host.
    isEmpty: matching?.length === 0 && inventory?.hosts.length !== 0,
    failure: hosts.error && !hosts.isFetching ? errorText(hosts.error) : undefined,
    retry: () => void hosts.refetch(),
  };
};
