import type { Task } from '@signalbox/contract';
import { useQuery } from '@tanstack/react-query';
import { activeTasksQuery } from '../../../api/queries.ts';
import { queuePosition } from '../queue-position.ts';

/** How often the positions are read, in milliseconds: they also change without an event of the task. */
const POLL_MS = 5_000;

/** Positions in the queue by the id of the task. They are read only while one of the tasks is in a queue. */
export const useQueuePositions = (tasks: readonly Task[]): ReadonlyMap<number, number> => {
  const isQueued = tasks.some(({ status, approval_state }) => status === 'waiting' && approval_state !== 'pending');
  const { data = [] } = useQuery({ ...activeTasksQuery(), enabled: isQueued, refetchInterval: POLL_MS });
  return new Map(
    data.flatMap((task) => {
      const position = task.status === 'waiting' ? queuePosition(task) : null;
      return position === null ? [] : [[task.id, position] as const];
    }),
  );
};
