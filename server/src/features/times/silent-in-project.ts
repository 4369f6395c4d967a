import type { HostPage } from '@signalbox/contract';
import type { StateReader } from '../../database/database.ts';
import type { LogStore } from '../../logs/log-store.ts';
import { type RunProgress, UNKNOWN_END } from './run-progress.ts';
import { readTimedTasks } from './timed-tasks.ts';

/** Running tasks of a project that are searched. */
const MAX_TASKS = 50;

interface SilentDeps {
  readonly db: StateReader;
  readonly progress: RunProgress;
  readonly logs: Pick<LogStore, 'isWorkingOn'>;
}

/** Returns the running tasks of a project in which a host is silent, except those of hidden templates. */
export const silentTasksOf = async (
  { db, progress, logs }: SilentDeps,
  projectId: number,
  hidden: ReadonlySet<number>,
  host: string,
): Promise<HostPage['silent']> => {
  const running = await readTimedTasks(db, 'all');
  const tasks = running.filter((task) => task.project_id === projectId && !hidden.has(task.template_id));
  const expected = await progress.add(tasks.slice(0, MAX_TASKS).map((task) => ({ ...task, ...UNKNOWN_END })));
  const silentIn: HostPage['silent'] = [];
  for (const { id, template_id, silent_hosts: silent } of expected) {
    if (!silent) continue;
    const { step, hosts, total, name, line, since, usual_ms } = silent;
    // Only the first silent hosts are listed.
    const isSilent = hosts.includes(host) || (total > hosts.length && (await logs.isWorkingOn(id, step, host)));
    if (isSilent) silentIn.push({ task_id: id, template_id, name, line, since, usual_ms });
  }
  return silentIn;
};
