import type { Task } from '@signalbox/contract';

/** Returns tasks with the expected end of those that run. */
export type AddExpectations = (tasks: readonly Task[]) => Promise<Task[]>;
