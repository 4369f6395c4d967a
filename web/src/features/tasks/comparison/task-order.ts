import type { Task } from '@signalbox/contract';

/** Of two tasks, the one that was created first. */
export const earlierOf = (a: Task, b: Task): Task => (a.id < b.id ? a : b);

/** Of two tasks, the one that was created last. */
export const laterOf = (a: Task, b: Task): Task => (a.id < b.id ? b : a);
