import { END_REASON_CODES, TASK_STATUSES } from 'virtual:routes';
import type { EndReasonCode, TaskStatus } from '@signalbox/contract';
import { type ChosenStatus, readStatus } from '../ui/tasks/status.ts';

/** Fields that a link to a form can focus. */
const FIELDS = ['limit', 'playbook', 'max_minutes'] as const;
export type FocusField = (typeof FIELDS)[number];

/** What the address says beside its path, on every page of a project. */
export interface ProjectSearch {
  /** Id of the task whose dialog is open. */
  t?: number | undefined;
  /** Tab of the task. */
  tab?: 'log' | 'summary' | 'hosts' | 'details' | undefined;
  /** Line of the log that is marked. */
  line?: number | undefined;
  /** Id of the template whose new task dialog is open. */
  run?: number | undefined;
  /** Id of the task whose answers that dialog starts with. */
  again?: number | undefined;
  /** Hosts that it starts with as its limit. */
  limit?: string | undefined;
  /** Field that the dialog focuses. */
  field?: FocusField | undefined;
}

const id = (value: unknown): number | undefined => {
  const number = Number(value);
  return Number.isSafeInteger(number) && number > 0 ? number : undefined;
};

const words = (value: unknown, most = 200): string | undefined =>
  (typeof value === 'string' || typeof value === 'number') && value !== '' ? String(value).slice(0, most) : undefined;

const TABS = ['log', 'summary', 'hosts', 'details'] as const;

/** Characters of a host limit, as the server takes them. */
const MAX_LIMIT = 4096;

/**
 * Reads the search of an address; what makes no sense is undefined instead of an error, and thereby
 * leaves the address.
 */
export const readProjectSearch = (search: Record<string, unknown>): ProjectSearch => ({
  t: id(search.t),
  tab: TABS.find((tab) => tab === search.tab),
  line: id(search.line),
  run: id(search.run),
  again: id(search.again),
  limit: words(search.limit, MAX_LIMIT),
  field: FIELDS.find((field) => field === search.field),
});

/** What the address says of a page that is a list: how it is looked at, and which form is open. */
export interface ListSearch extends ProjectSearch {
  q?: string | undefined;
  sort?: string | undefined;
  edit?: number | 'new' | undefined;
  /** Page of the list, from 1. */
  page?: number | undefined;
}

/** Reads the search of a list's address. */
export const readListSearch = (search: Record<string, unknown>): Omit<ListSearch, keyof ProjectSearch> => ({
  q: words(search.q),
  sort: words(search.sort),
  edit: search.edit === 'new' ? ('new' as const) : id(search.edit),
  page: id(search.page),
});

/** Search parameters of the template list: search text, order and status filter. */
export interface TemplatesSearch extends ListSearch {
  status?: ChosenStatus | undefined;
}

export const readTemplatesSearch = (search: Record<string, unknown>): Omit<TemplatesSearch, keyof ProjectSearch> => ({
  ...readListSearch(search),
  status: readStatus(search.status),
});

/** What the address of the history says: how it is looked at, and what it is narrowed to. */
export interface HistorySearch extends ListSearch {
  status?: TaskStatus | undefined;
  reason?: EndReasonCode | undefined;
  template?: number | undefined;
  user?: number | undefined;
}

/** Reads the search of the address of the history. */
export const readHistorySearch = (
  search: Record<string, unknown>,
): Omit<HistorySearch, keyof ProjectSearch | 'edit'> => ({
  q: words(search.q),
  sort: words(search.sort),
  page: id(search.page),
  status: TASK_STATUSES.find((status) => status === search.status),
  reason: END_REASON_CODES.find((code) => code === search.reason),
  template: id(search.template),
  user: id(search.user),
});

/** Search parameters of a new template: the template to copy, and the view in which that one was opened. */
export interface EditSearch extends ProjectSearch {
  copy?: number | undefined;
  /** Id of the view in which the copied template was opened. */
  view?: number | undefined;
}

export const readEditSearch = (search: Record<string, unknown>): Pick<EditSearch, 'copy' | 'view'> => {
  const [copy, view] = [id(search.copy), id(search.view)];
  return { ...(copy === undefined ? {} : { copy }), ...(view === undefined ? {} : { view }) };
};

/** The page to go to after signing in: only one of this site's own. */
export const readNext = (next: unknown): string | undefined =>
  typeof next === 'string' && /^\/(?![/\\])/.test(next) ? next : undefined;

/** The search without the task dialog, for closing it. */
export const withoutTask = ({ t: _t, tab: _tab, line: _line, ...rest }: ProjectSearch): ProjectSearch => rest;

/** The search without the new task dialog. */
export const withoutRun = ({
  run: _run,
  again: _again,
  limit: _limit,
  field: _field,
  ...rest
}: ProjectSearch): ProjectSearch => rest;

/** The page that somebody wanted before they had to do something else. */
export const readNextSearch = (search: Record<string, unknown>): { next?: string | undefined } => {
  const next = readNext(search.next);
  return next === undefined ? {} : { next };
};
