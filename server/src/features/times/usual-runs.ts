import type { Task } from '@signalbox/contract';
import type { StateReader } from '../../database/database.ts';
import { MAX_RUNS, type UsualRun } from '../../times/estimate.ts';
import { decodeTimes } from '../../times/times-codec.ts';
import { optionsOf, type RunOptions } from './run-options.ts';

export type ComparedTask = RunOptions & Pick<Task, 'id' | 'template_id'>;

/** Returns the newest successful runs before a task that can be compared with it, the newest first. */
export const readUsualRuns = async (db: StateReader, task: ComparedTask): Promise<UsualRun[]> => {
  const rows = await db
    .selectFrom('run_time')
    .select(['lead', 'total', 'hosts', 'times'])
    .where('template_id', '=', task.template_id)
    .where('options', '=', optionsOf(task))
    .where('succeeded', '=', 1)
    .where('task_id', '<', task.id)
    .orderBy('task_id', 'desc')
    .limit(MAX_RUNS)
    .execute();
  const runs: UsualRun[] = [];
  for (const { lead, total, hosts, times } of rows) {
    const { steps } = await decodeTimes(times);
    const most = new Map<string, number>();
    for (const step of steps) most.set(step.play, Math.max(1, most.get(step.play) ?? 0, step.hosts));
    runs.push({
      ...{ lead: Number(lead), total: Number(total), hosts },
      steps: new Map(
        steps.map(({ key, play, at, ms, p95, hosts }) => [
          key,
          { at, ms, p95, share: hosts / (most.get(play) ?? hosts) },
        ]),
      ),
    });
  }
  return runs;
};
