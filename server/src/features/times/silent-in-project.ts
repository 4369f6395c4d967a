import type { HostPage } from '@signalbox/contract';
import type { StateReader } from '../../database/database.ts';
import type { RunProgress } from './run-progress.ts';
import { readTimedTasks } from './timed-tasks.ts';

/** Running tasks of a project that are searched. */
const MAX_TASKS = 50;

/** Returns the running tasks of a project in which a host is silent, except those of hidden templates. */
export const silentTasksOf = async (
  db: StateReader,
  progress: RunProgress,
  projectId: number,
  hidden: ReadonlySet<number>,
  host: string,
): Promise<HostPage['silent']> => {
  const running = await readTimedTasks(db, 'all');
  const tasks = running.filter((task) => task.project_id === projectId && !hidden.has(task.template_id));
  const expected = await progress.add(tasks.slice(0, MAX_TASKS));
  return expected.flatMap(({ id, template_id, silent_hosts: silent }) => {
    if (!silent?.hosts.includes(host)) return [];
    const { name, line, since, usual_ms } = silent;
    return [{ task_id: id, template_id, name, line, since, usual_ms }];
  });
};
