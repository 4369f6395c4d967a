import type { Sorting, Task } from '@signalbox/contract';
import { sorted } from './sorted.ts';

/** The duration of a task so far, in milliseconds; undefined before it starts. */
const durationOf = ({ start, end }: Task, now: Date): number | undefined =>
  start === null ? undefined : (end === null ? now.getTime() : Date.parse(end)) - Date.parse(start);

/** Sorts tasks as the query asks. Without a sort order they keep their order. */
export const sortedTasks = (tasks: readonly Task[], query: Sorting, now: Date): Task[] =>
  sorted(tasks, query, undefined, (task, column) =>
    column === 'duration'
      ? durationOf(task, now)
      : task[column as 'id' | 'tpl_alias' | 'version' | 'status' | 'user_name' | 'created' | 'start' | 'end'],
  );
