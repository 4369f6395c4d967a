import type { Waiting } from '@signalbox/contract';

/**
 * Returns why tasks wait, by id. Tasks that do not wait are left out. The tasks of hidden templates are not named.
 */
export type ReadWaiting = (
  ids: readonly number[],
  hidden: ReadonlySet<number>,
) => Promise<ReadonlyMap<number, Waiting>>;

const NOT_WAITING: Waiting = { waiting_reason: null, queue_position: null };

/** Adds to a task why it waits. */
export const queued = <Row extends { readonly id: number }>(
  task: Row,
  waiting: ReadonlyMap<number, Waiting> = new Map(),
): Row & Waiting => ({ ...task, ...(waiting.get(task.id) ?? NOT_WAITING) });

/** The ids of the waiting tasks. */
export const waitingIds = (tasks: readonly { readonly id: number; readonly status: string }[]): number[] =>
  tasks.filter(({ status }) => status === 'waiting').map(({ id }) => id);
