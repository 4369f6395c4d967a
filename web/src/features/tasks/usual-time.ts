import type { Task } from '@signalbox/contract';
import { usualDuration } from '../../ui/time/time.ts';

/** Number of comparable successful tasks from which a duration is called usual. */
const ENOUGH = 3;

/** How long tasks such as this one usually take, in milliseconds. Undefined while there are few with the same hosts and mode. */
export const usualTime = (task: Task, newestFirst: readonly Task[]): number | undefined => {
  const comparable = newestFirst.filter(
    ({ id, status, limit, inventory_id, dry_run }) =>
      id < task.id &&
      status === 'success' &&
      limit === task.limit &&
      inventory_id === task.inventory_id &&
      dry_run === task.dry_run,
  );
  return comparable.length < ENOUGH ? undefined : usualDuration(comparable);
};
