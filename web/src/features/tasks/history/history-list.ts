import { TASK_STATUSES } from 'virtual:routes';
import type { Task } from '@signalbox/contract';
import type { Column } from '../../../ui/list-state.ts';
import { taskDuration } from '../../../ui/time.ts';

/** Rows of a page of the history. */
export const PAGE_SIZE = 20;

type Searched = Pick<Task, 'id' | 'tpl_alias' | 'user_name' | 'version' | 'message' | 'status'>;

/** The tasks that hold every word typed, in their number, template, author, version, message or status. */
export const filterTasks = <T extends Searched>(tasks: readonly T[], text: string): T[] => {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [...tasks];
  return tasks.filter((task) => {
    const { id, tpl_alias, user_name, version, message, status } = task;
    const searched = `#${id} ${tpl_alias} ${user_name} ${version ?? ''} ${message} ${status}`.toLowerCase();
    return words.every((word) => searched.includes(word));
  });
};

/** Columns of the history, by which it is sorted; the newest task comes first unless told. */
export const HISTORY_COLUMNS: readonly Column<Task>[] = [
  { id: 'task', title: 'column.task', text: ({ id }) => String(id), order: ({ id }) => -id },
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

/** Most tasks that are put into another order than that of their time. */
export const MAX_SORTED = 1000;

/** The rows of a page, counted from 0. */
export const pageOf = <T>(rows: readonly T[], page: number): T[] =>
  rows.slice(page * PAGE_SIZE, (page + 1) * PAGE_SIZE);
