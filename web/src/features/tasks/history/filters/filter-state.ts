import type { SavedFilter } from '@signalbox/contract';
import type { HistoryState } from '../history-state.ts';

type Conditions = SavedFilter['filter'];

/** The state of the history without any filter. */
export const NO_FILTER: HistoryState = {
  q: undefined,
  status: undefined,
  reason: undefined,
  template: undefined,
  user: undefined,
  days: undefined,
  from: undefined,
  to: undefined,
  filter: undefined,
};

/** What a saved filter keeps of the state of the history. */
export const conditionsOf = ({ q, status, reason, template, user, days, from, to }: HistoryState): Conditions => ({
  search: q ?? '',
  status: status ?? null,
  end_reason: reason ?? null,
  template_id: template ?? null,
  user_id: user ?? null,
  days: days ?? null,
  from: from ?? null,
  to: to ?? null,
});

/** The state of the history that a saved filter shows. */
export const stateOf = ({ id, filter }: Pick<SavedFilter, 'id' | 'filter'>): HistoryState => ({
  q: filter.search === '' ? undefined : filter.search,
  status: filter.status ?? undefined,
  reason: filter.end_reason ?? undefined,
  template: filter.template_id ?? undefined,
  user: filter.user_id ?? undefined,
  days: filter.days ?? undefined,
  from: filter.from ?? undefined,
  to: filter.to ?? undefined,
  filter: id,
});

/** Whether the state differs from what the saved filter shows. */
export const isChanged = ({ filter }: Pick<SavedFilter, 'filter'>, state: HistoryState): boolean => {
  const now = conditionsOf(state);
  return (Object.keys(now) as (keyof Conditions)[]).some((name) => now[name] !== filter[name]);
};
