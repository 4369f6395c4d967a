import type { Template } from '@signalbox/contract';
import { compareNames } from '../../lang/locale.ts';
import { translate } from '../../lang/translate.ts';
import { rowFilter } from '../../ui/lists/list-state.ts';
import { type ChosenStatus, shownStatus, statusStyle } from '../../ui/tasks/status.ts';
import { templateTypeStyle } from '../../ui/tasks/template-type.ts';

/** Columns that can be hidden, in their order. The name and the run button are always shown. */
export const TEMPLATE_COLUMNS = [
  'status',
  'outcomes',
  'version',
  'last_task',
  'playbook',
  'inventory',
  'environment',
  'repository',
] as const;
export type TemplateColumn = (typeof TEMPLATE_COLUMNS)[number];

/** Whether a column is a dash for a template. */
const IS_EMPTY: Readonly<Partial<Record<TemplateColumn, (template: Template) => boolean>>> = {
  outcomes: ({ last_task }) => last_task === null,
  version: ({ last_task }) => (last_task?.version ?? null) === null,
  last_task: ({ last_task }) => last_task === null,
  inventory: ({ inventory_id }) => inventory_id === null,
};

/** The columns that are not a dash for every template. Without templates, all columns. */
export const filledColumns = (
  columns: readonly TemplateColumn[],
  templates: readonly Template[],
): readonly TemplateColumn[] =>
  columns.filter((column) => {
    const isEmpty = IS_EMPTY[column];
    return isEmpty === undefined || templates.length === 0 || !templates.every(isEmpty);
  });

/** Names of the objects that templates refer to, by id. */
export interface Names {
  readonly inventory: ReadonlyMap<number, string>;
  readonly environment: ReadonlyMap<number, string>;
  readonly repository: ReadonlyMap<number, string>;
}

export const namesById = (list: readonly { id: number; name: string }[] | undefined): Map<number, string> =>
  new Map(list?.map(({ id, name }) => [id, name]));

export type SortKey = 'name' | Exclude<TemplateColumn, 'outcomes'>;
export interface Sorting {
  readonly by: SortKey;
  readonly descending: boolean;
}

/** The text of a column, used by filters and sorting. */
const cellText = (template: Template, key: SortKey, names: Names): string => {
  switch (key) {
    case 'name':
      return template.name;
    case 'status':
      return template.last_task?.status ?? '';
    case 'version':
      return template.last_task?.version ?? '';
    case 'last_task':
      return template.last_task?.user_name ?? '';
    case 'playbook':
      return template.playbook;
    case 'inventory':
      return names.inventory.get(template.inventory_id ?? 0) ?? '';
    case 'environment':
      return names.environment.get(template.environment_id) ?? '';
    case 'repository':
      return names.repository.get(template.repository_id) ?? '';
  }
};

const SEARCHED: readonly SortKey[] = ['name', ...TEMPLATE_COLUMNS.filter((column) => column !== 'outcomes')];

/** The status of a template in the list. */
export const statusOf = ({ last_task: last }: Template): ChosenStatus => last?.status ?? 'none';

/** The text of a template that the filter searches: every column, and the label of its status next to the API name. */
const searchedText = (template: Template, names: Names, label: (key: string) => string): string => {
  const { last_task: last, type } = template;
  const shown = [
    label(statusStyle(last ? shownStatus(last) : 'none').labelKey),
    label(templateTypeStyle(type).labelKey),
    last ? `#${last.id}` : '',
  ];
  return [...SEARCHED.map((key) => cellText(template, key, names)), ...shown].join(' ');
};

/** Returns a function that finds the templates that contain every search term in any column. */
export const templateFilter = (templates: readonly Template[], names: Names) => {
  // Most templates have the same few labels, and translating is the slowest part of the first search.
  const labels = new Map<string, string>();
  const label = (key: string): string => {
    const text = labels.get(key) ?? translate(key);
    labels.set(key, text);
    return text;
  };
  return rowFilter(templates, (template) => searchedText(template, names, label));
};

/** A sorted copy. The last task is sorted by time; equal rows are sorted by name. */
export const sortTemplates = (
  templates: readonly Template[],
  { by, descending }: Sorting,
  names: Names,
): Template[] => {
  const compare = (a: Template, b: Template): number =>
    by === 'last_task'
      ? (a.last_task_id ?? 0) - (b.last_task_id ?? 0)
      : compareNames(cellText(a, by, names), cellText(b, by, names));
  return templates.toSorted((a, b) => (descending ? -1 : 1) * compare(a, b) || compareNames(a.name, b.name));
};

const BY_NAME: Sorting = { by: 'name', descending: false };

/** The sort order in a URL. Default, also for invalid values: by name. */
export const readSorting = (sort: string | undefined): Sorting => {
  const descending = sort?.startsWith('-') ?? false;
  const by = SEARCHED.find((key) => key === (descending ? sort?.slice(1) : sort));
  return by === undefined ? BY_NAME : { by, descending };
};

/** The sort order as a search parameter; undefined for the default. */
export const sortingText = ({ by, descending }: Sorting): string | undefined =>
  by === 'name' && !descending ? undefined : `${descending ? '-' : ''}${by}`;

/** The sort order after a click on a column: its default order first, then the reverse. */
export const nextSorting = (now: Sorting, by: SortKey): Sorting => ({
  by,
  descending: now.by === by ? !now.descending : by === 'last_task',
});
