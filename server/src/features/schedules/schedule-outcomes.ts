import { OUTCOMES, type ScheduleOutcomes } from '@signalbox/contract';
import type { Database } from '../../database/database.ts';
import { newestOfEachSchedule } from '../../database/queries/newest-of-each.ts';

/** The outcomes of the newest tasks of each schedule of a project, newest first. Leaves out schedules without tasks and of hidden templates. */
export const listScheduleOutcomes = async (
  database: Database,
  projectId: number,
  hidden: ReadonlySet<number>,
): Promise<ScheduleOutcomes[]> => {
  const rows = await newestOfEachSchedule(database, projectId, OUTCOMES)
    .select([
      'schedule.id as schedule_id',
      'task.id',
      'task.status',
      'task.start_time as start',
      'task.end_time as end',
    ])
    .$if(hidden.size > 0, (query) => query.where('schedule.template_id', 'not in', [...hidden]))
    .execute();
  return [...Map.groupBy(rows, ({ schedule_id }) => schedule_id)].map(([schedule_id, tasks]) => ({
    schedule_id,
    tasks: tasks.map(({ schedule_id: _, ...task }) => task).toSorted((a, b) => b.id - a.id),
  }));
};
