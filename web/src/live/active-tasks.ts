import { FINAL_STATUSES } from 'virtual:routes';
import type { ActiveTask } from '@signalbox/contract';
import type { QueryClient } from '@tanstack/react-query';
import { queryKey } from '../api/keys.ts';
import { mergeTask, type UpdateMessage } from './merge.ts';

/**
 * Applies an update to the active tasks of all projects. A task that ended leaves the list. An update does not contain
 * who started a new task or which runner has it, so these are fetched; so is a response that is older than the update.
 */
export const updateActiveTasks = (client: QueryClient, message: UpdateMessage): void => {
  const key = { queryKey: queryKey.activeTasks };
  const isEnded = (FINAL_STATUSES as readonly string[]).includes(message.status);
  const before = client.getQueryData<ActiveTask[]>(queryKey.activeTasks);
  const known = before?.find(({ id }) => id === message.task_id);
  if (before && known) {
    const rest = isEnded
      ? before.filter((task) => task !== known)
      : before.map((task) => (task === known ? mergeTask(task, message) : task));
    client.setQueryData<ActiveTask[]>(queryKey.activeTasks, rest);
  }
  const isIncomplete = !isEnded && known?.status !== message.status;
  if (isIncomplete || client.isFetching(key) > 0) void client.invalidateQueries(key);
};
