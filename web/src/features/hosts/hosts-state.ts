import { FACT_KINDS, FACT_NUMBER } from 'virtual:routes';
import type { FactName, FactOperator, HostOrder, HostState } from '@signalbox/contract';
import type { HostListFilter } from '../../api/host-list.ts';
import { type Column, type PagedState, sortedBy } from '../../ui/lists/list-state.ts';

/** Delay before a typed value is used, in milliseconds. */
export const TYPING_MS = 250;

/** State of the list of hosts. It is part of the URL. */
export interface HostsState extends PagedState {
  group?: string | undefined;
  template?: number | undefined;
  result?: HostState | undefined;
  /** Only hosts without a run for this number of days. */
  days?: number | undefined;
  fact?: FactName | undefined;
  /** How the fact is compared; undefined for `is`. */
  operator?: FactOperator | undefined;
  value?: string | undefined;
  vanished?: 'true' | 'false' | undefined;
}

export const NO_FILTER: HostsState = {
  ...{ q: undefined, group: undefined, template: undefined, result: undefined, days: undefined },
  ...{ fact: undefined, operator: undefined, value: undefined, vanished: undefined, page: undefined },
};

type HostColumn = Column<unknown> & { readonly id: HostOrder; readonly width: string };

const column = (id: HostOrder, title: string, width: string): HostColumn => ({
  id,
  title,
  width,
  text: () => '',
  isDescending: id !== 'host',
});

/** The columns of the list; the list is sorted by each of them. */
export const HOST_COLUMNS: readonly HostColumn[] = [
  column('host', 'host.host', '24%'),
  column('trouble', 'hostPage.lastResult', '18%'),
  column('last_run', 'hosts.lastRun', '15%'),
  column('last_success', 'hosts.success', '14%'),
  column('last_change', 'hosts.change', '14%'),
  column('last_failure', 'hosts.failure', '15%'),
];

/** The order without a choice: hosts with failures first. */
export const FIRST_ORDER: HostOrder = 'trouble';

const NUMBER = new RegExp(FACT_NUMBER);

/** Whether the fact has a value with which the server can compare it. */
export const hasFactValue = ({ fact, value = '' }: Pick<HostsState, 'fact' | 'value'>): boolean =>
  fact !== undefined && value !== '' && (FACT_KINDS[fact] === 'text' || NUMBER.test(value));

/** What the server filters and sorts by. A fact without a valid value is not used. */
export const filterOf = (state: HostsState): HostListFilter => {
  const { id, descending } = sortedBy(state);
  const sort = HOST_COLUMNS.find((one) => one.id === id)?.id ?? FIRST_ORDER;
  return {
    name: state.q,
    group: state.group,
    template_id: state.template,
    result: state.result,
    untouched_days: state.days,
    ...(hasFactValue(state)
      ? { fact: state.fact, fact_operator: state.operator ?? 'is', fact_value: state.value }
      : {}),
    vanished: state.vanished,
    sort,
    order: (sort === 'host') === descending ? 'desc' : 'asc',
  };
};

export const isNarrowed = (state: HostsState): boolean =>
  (Object.keys(NO_FILTER) as (keyof HostsState)[]).some((name) => name !== 'page' && state[name] !== undefined);
