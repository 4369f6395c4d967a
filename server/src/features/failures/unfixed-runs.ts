import type { Database } from '../../database/database.ts';
import { isUnfixed } from '../../failures/may-fix.ts';

/** For each failure of a template that is not fixed, the id of its last task. */
export const unfixedRuns = async ({ read }: Pick<Database, 'read'>, templateId: number): Promise<number[]> => {
  const rows = await read
    .selectFrom('failure_template')
    .innerJoin('task', 'task.id', 'failure_template.last_task_id')
    .select('last_task_id')
    .distinct()
    .where('failure_template.template_id', '=', templateId)
    .where(isUnfixed('failure_template'))
    .execute();
  return rows.map(({ last_task_id }) => last_task_id);
};
