import type { Sorting, Task } from '@signalbox/contract';
import { sorted } from './sorted.ts';

/** How long a task took, or has been at it until now, in milliseconds; undefined before it starts. */
const durationOf = ({ start, end }: Task, now: Date): number | undefined =>
  start === null ? undefined : (end === null ? now.getTime() : Date.parse(end)) - Date.parse(start);

/** Puts tasks into the order that the query of their list asks for; unless it asks, they stay as they were found. */
export const sortedTasks = (tasks: readonly Task[], query: Sorting, now: Date): Task[] =>
  sorted(tasks, query, undefined, (task, column) =>
    column === 'duration'
      ? durationOf(task, now)
      : task[column as 'id' | 'tpl_alias' | 'version' | 'status' | 'user_name' | 'created' | 'start' | 'end'],
  );
