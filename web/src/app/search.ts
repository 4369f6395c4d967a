import { END_REASON_CODES, FACT_KINDS, FACT_OPERATORS, HOST_STATES, MAX_LIMIT, TASK_STATUSES } from 'virtual:routes';
import type { EndReasonCode, FactName, FactOperator, HostState, TaskStatus } from '@signalbox/contract';
import { type LineAddress, readLineAddress } from '../ui/tasks/line-range.ts';
import { type MatrixUrl, readMatrixUrl } from '../ui/tasks/matrix-url.ts';
import { type ChosenStatus, readStatus } from '../ui/tasks/status.ts';

/** Fields that a link to a form can focus. */
const FIELDS = ['limit', 'playbook', 'max_minutes'] as const;
export type FocusField = (typeof FIELDS)[number];

/** Search parameters of every page of a project. */
export interface ProjectSearch extends MatrixUrl {
  /** Id of the task whose dialog is open. */
  t?: number | undefined;
  /** Tab of the task. */
  tab?: 'log' | 'summary' | 'hosts' | 'timeline' | 'compare' | 'details' | undefined;
  /** Highlighted lines of the log. */
  line?: LineAddress | undefined;
  /** Text that is searched in the log. */
  find?: string | undefined;
  /** Id of the task that it is compared with. */
  with?: number | undefined;
  /** Name of the step that the comparison shows. */
  step?: string | undefined;
  /** Id of the template whose new task dialog is open. */
  run?: number | undefined;
  /** Id of the task whose answers the new task dialog starts with. */
  again?: number | undefined;
  /** Id of the saved launch that fills the new task dialog. */
  launch?: number | undefined;
  /** Id of the schedule whose values fill the new task dialog. */
  schedule?: number | undefined;
  /** Hosts that the new task dialog starts with as its limit. */
  limit?: string | undefined;
  /** Field that the dialog focuses. */
  field?: FocusField | undefined;
}

/** Maximum characters of a searched text in the URL. */
const MAX_FIND = 500;

const id = (value: unknown): number | undefined => {
  const number = Number(value);
  return Number.isSafeInteger(number) && number > 0 ? number : undefined;
};

const readText = (value: unknown, most = 200): string | undefined =>
  (typeof value === 'string' || typeof value === 'number') && value !== '' ? String(value).slice(0, most) : undefined;

const TABS = ['log', 'summary', 'hosts', 'timeline', 'compare', 'details'] as const;

/** Reads the search parameters of a URL. Invalid values become undefined, which removes them from the URL. */
export const readProjectSearch = (search: Record<string, unknown>): ProjectSearch => ({
  t: id(search.t),
  tab: TABS.find((tab) => tab === search.tab),
  line: readLineAddress(search.line),
  find: readText(search.find, MAX_FIND),
  with: id(search.with),
  step: readText(search.step, MAX_FIND),
  ...readMatrixUrl(search),
  run: id(search.run),
  again: id(search.again),
  launch: id(search.launch),
  schedule: id(search.schedule),
  limit: readText(search.limit, MAX_LIMIT),
  field: FIELDS.find((field) => field === search.field),
});

/** Whether a change of the task in the URL is a step in the history: from a tab to a line of the log, which Back undoes. */
export const isStep = (tab: ProjectSearch['tab'], to: Pick<ProjectSearch, 'tab' | 'line'>): boolean =>
  tab !== 'log' && to.tab === 'log' && to.line !== undefined;

/** Search parameters of a list page: filter, order and open form. */
export interface ListSearch extends ProjectSearch {
  q?: string | undefined;
  sort?: string | undefined;
  edit?: number | 'new' | undefined;
  /** Page of the list, from 1. */
  page?: number | undefined;
}

/** Reads the search parameters of a list page. */
export const readListSearch = (search: Record<string, unknown>): Omit<ListSearch, keyof ProjectSearch> => ({
  q: readText(search.q),
  sort: readText(search.sort),
  edit: search.edit === 'new' ? ('new' as const) : id(search.edit),
  page: id(search.page),
});

/** Search parameters of the template list: search text, order and status filter. */
export interface TemplatesSearch extends ListSearch {
  status?: ChosenStatus | undefined;
  /** Id of the only label whose templates are shown. */
  label?: number | undefined;
  group?: 'label' | undefined;
}

export const readTemplatesSearch = (search: Record<string, unknown>): Omit<TemplatesSearch, keyof ProjectSearch> => ({
  ...readListSearch(search),
  status: readStatus(search.status),
  label: id(search.label),
  group: search.group === 'label' ? ('label' as const) : undefined,
});

const MAX_DAYS = 3650;

const readDays = (value: unknown): number | undefined => (Number(value) <= MAX_DAYS ? id(value) : undefined);

const readDay = (value: unknown): string | undefined =>
  typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value))
    ? value
    : undefined;

/** Search parameters of the history: list state and server-side filters. */
export interface HistorySearch extends ListSearch {
  status?: TaskStatus | undefined;
  reason?: EndReasonCode | undefined;
  template?: number | undefined;
  user?: number | undefined;
  /** Number of days including today. */
  days?: number | undefined;
  /** The first and the last day, such as 2026-11-23. */
  from?: string | undefined;
  to?: string | undefined;
  /** Id of the saved filter whose tab is open. */
  filter?: number | undefined;
}

/** Reads the search parameters of the history. */
export const readHistorySearch = (
  search: Record<string, unknown>,
): Omit<HistorySearch, keyof ProjectSearch | 'edit'> => ({
  q: readText(search.q),
  sort: readText(search.sort),
  page: id(search.page),
  status: TASK_STATUSES.find((status) => status === search.status),
  reason: END_REASON_CODES.find((code) => code === search.reason),
  template: id(search.template),
  user: id(search.user),
  days: readDays(search.days),
  from: readDay(search.from),
  to: readDay(search.to),
  filter: id(search.filter),
});

const SCHEDULE_GROUPS = ['active', 'paused', 'done', 'problem'] as const;
type ScheduleGroup = (typeof SCHEDULE_GROUPS)[number];

/** Search parameters of the page of schedules: list state, and the week of the calendar. */
export interface SchedulesSearch extends ListSearch {
  /** Which schedules the list shows. Undefined for all. */
  only?: ScheduleGroup | undefined;
  /** The week of the calendar: `now`, or a day of it such as 2026-11-23. Undefined for the list. */
  week?: string | undefined;
}

export const readSchedulesSearch = (search: Record<string, unknown>): Omit<SchedulesSearch, keyof ProjectSearch> => ({
  ...readListSearch(search),
  only: SCHEDULE_GROUPS.find((group) => group === search.only),
  week: typeof search.week === 'string' && /^(now|\d{4}-\d{2}-\d{2})$/.test(search.week) ? search.week : undefined,
});

/** Search parameters of the pages of webhooks: list state, and the only template whose webhooks are shown. */
export interface WebhooksSearch extends ListSearch {
  template?: number | undefined;
}

export const readWebhooksSearch = (
  search: Record<string, unknown>,
): Pick<WebhooksSearch, 'q' | 'sort' | 'template'> => ({
  q: readText(search.q),
  sort: readText(search.sort),
  template: id(search.template),
});

const HOST_TABS = ['runs', 'changes', 'facts', 'failures'] as const;

/** Search parameters of the list of hosts: list state, and server-side filters. */
export interface HostsSearch extends ListSearch {
  ofGroup?: string | undefined;
  template?: number | undefined;
  /** The worst last outcome of the templates on the host. */
  last?: HostState | undefined;
  /** Days without a run. */
  days?: number | undefined;
  fact?: FactName | undefined;
  /** How the fact is compared; undefined for `is`. */
  op?: FactOperator | undefined;
  value?: string | undefined;
  vanished?: 'true' | 'false' | undefined;
}

const FACT_NAMES = Object.keys(FACT_KINDS) as FactName[];

export const readHostsSearch = (search: Record<string, unknown>): Omit<HostsSearch, keyof ProjectSearch> => ({
  ...readListSearch(search),
  ofGroup: readText(search.ofGroup),
  template: id(search.template),
  last: HOST_STATES.find((state) => state === search.last),
  days: readDays(search.days),
  fact: FACT_NAMES.find((name) => name === search.fact),
  op: FACT_OPERATORS.find((operator) => operator === search.op),
  value: readText(search.value),
  // The router reads the text as a boolean.
  vanished: (['true', 'false'] as const).find((value) => value === String(search.vanished)),
});

/** Search parameters of the page of a host: its tab. Undefined for the overview. */
interface HostSearch extends ProjectSearch {
  show?: (typeof HOST_TABS)[number] | undefined;
}

export const readHostSearch = (search: Record<string, unknown>): Pick<HostSearch, 'show'> => ({
  show: HOST_TABS.find((tab) => tab === search.show),
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

/** The page to open after signing in. Only pages of this site are accepted. */
export const readNext = (next: unknown): string | undefined =>
  typeof next === 'string' && /^\/(?![/\\])/.test(next) ? next : undefined;

/** The search parameters without the task dialog, for closing it. */
export const withoutTask = ({
  t: _t,
  tab: _tab,
  line: _line,
  find: _find,
  with: _with,
  step: _step,
  result: _result,
  hosts: _hosts,
  order: _order,
  cell: _cell,
  ...rest
}: ProjectSearch): ProjectSearch => rest;

/** The search parameters without the new task dialog. */
export const withoutRun = ({
  run: _run,
  again: _again,
  launch: _launch,
  schedule: _schedule,
  limit: _limit,
  field: _field,
  ...rest
}: ProjectSearch): ProjectSearch => rest;

/** The page that the user asked for before they had to sign in or set up a second factor. */
export const readNextSearch = (search: Record<string, unknown>): { next?: string | undefined } => {
  const next = readNext(search.next);
  return next === undefined ? {} : { next };
};
