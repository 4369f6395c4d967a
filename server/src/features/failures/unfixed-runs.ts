import type { Database } from '../../database/database.ts';

/**
 * For each failure of a template that is not fixed, the id of its last task. A failure is fixed by a later run that reached one of
 * its hosts without it.
 */
export const unfixedRuns = async ({ read }: Pick<Database, 'read'>, templateId: number): Promise<number[]> => {
  const rows = await read
    .selectFrom('failure_template')
    .innerJoin('task', 'task.id', 'failure_template.last_task_id')
    .select('last_task_id')
    .distinct()
    .where('failure_template.template_id', '=', templateId)
    .where((eb) => eb.or([eb('fixed_by', 'is', null), eb('fixed_by', '<', eb.ref('last_task_id'))]))
    .execute();
  return rows.map(({ last_task_id }) => last_task_id);
};
