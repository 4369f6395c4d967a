import type { Task } from '@signalbox/contract';

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

/** The rows of a page, counted from 0. */
export const pageOf = <T>(rows: readonly T[], page: number): T[] =>
  rows.slice(page * PAGE_SIZE, (page + 1) * PAGE_SIZE);
