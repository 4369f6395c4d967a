import { OUTCOMES, type TemplateOutcomes } from '@signalbox/contract';
import type { Database } from '../../database/database.ts';
import { newestOfEach } from '../../database/queries/newest-of-each.ts';

/** The newest tasks of each template of a project. The cost depends on the number of templates, not of tasks. */
export const outcomesQuery = (database: Database, projectId: number) =>
  newestOfEach(database, projectId, OUTCOMES).select([
    'template.id as template_id',
    'task.id',
    'task.status',
    'task.start_time as start',
    'task.end_time as end',
  ]);

/** The outcomes of the newest tasks of each template, newest first. Leaves out templates without tasks. */
export const listOutcomes = async (database: Database, projectId: number): Promise<TemplateOutcomes[]> => {
  const found = new Map<number, TemplateOutcomes['tasks']>();
  for (const { template_id, ...task } of await outcomesQuery(database, projectId).execute()) {
    const tasks = found.get(template_id);
    if (tasks) tasks.push(task);
    else found.set(template_id, [task]);
  }
  return [...found].map(([template_id, tasks]) => ({ template_id, tasks: tasks.toSorted((a, b) => b.id - a.id) }));
};
