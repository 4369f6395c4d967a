import { TASK_STATUSES } from 'virtual:routes';
import type { Task } from '@signalbox/contract';
import { locale } from '../../../lang/locale.ts';
import { translate } from '../../../lang/translate.ts';
import type { Column } from '../../../ui/lists/list-state.ts';
import { shownStatus, statusStyle } from '../../../ui/tasks/status.ts';
import { taskDuration } from '../../../ui/time/time.ts';

/** Rows on a page of the history. */
export const PAGE_SIZE = 20;

type Searched = Pick<Task, 'id' | 'tpl_alias' | 'user_name' | 'version' | 'message' | 'status' | 'approval_state'>;

/**
 * The tasks that contain every search term in their number, template, author, version, message or status (API name or
 * label).
 */
export const filterTasks = <T extends Searched>(tasks: readonly T[], typed: string): T[] => {
  const terms = typed.toLocaleLowerCase(locale()).split(/\s+/).filter(Boolean);
  if (terms.length === 0) return [...tasks];
  return tasks.filter((task) => {
    const { id, tpl_alias, user_name, version, message, status } = task;
    const shown = translate(statusStyle(shownStatus(task)).labelKey);
    const searched = `#${id} ${tpl_alias} ${user_name} ${version ?? ''} ${message} ${status} ${shown}`;
    const text = searched.toLocaleLowerCase(locale());
    return terms.every((term) => text.includes(term));
  });
};

/** Columns of the history, by which it is sorted. Default: newest task first. */
export const HISTORY_COLUMNS: readonly Column<Task>[] = [
  { id: 'task', title: 'column.task', text: ({ id }) => String(id), order: ({ id }) => -id, isDescending: true },
  { id: 'version', title: 'column.version', text: ({ version }) => version ?? '' },
  {
    id: 'status',
    title: 'column.status',
    text: ({ status }) => status,
    order: ({ status }) => TASK_STATUSES.indexOf(status),
  },
  { id: 'user', title: 'column.user', text: ({ user_name }) => user_name },
  {
    id: 'start',
    title: 'column.start',
    text: ({ start }) => start ?? '',
    order: (task) => Date.parse(task.start ?? task.created),
  },
  { id: 'duration', title: 'column.duration', text: () => '', order: (task) => taskDuration(task, Date.now()) ?? -1 },
];

/** Maximum number of tasks that can be sorted by a column other than time. */
export const MAX_SORTED = 1000;

/** The rows of a page. Pages are counted from 0. */
export const pageOf = <T>(rows: readonly T[], page: number): T[] =>
  rows.slice(page * PAGE_SIZE, (page + 1) * PAGE_SIZE);
