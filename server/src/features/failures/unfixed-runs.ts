import type { Database } from '../../database/database.ts';
import { lastFixes } from './last-fix.ts';

/** Failures whose fixes are searched at once. */
const CHUNK = 100;

/**
 * For each failure of a template that is not fixed, the id of its last task. A failure is fixed by a later run that reached one of
 * its hosts without it.
 */
export const unfixedRuns = async ({ read }: Pick<Database, 'read'>, templateId: number): Promise<number[]> => {
  const rows = await read
    .selectFrom('failure_template')
    .innerJoin('task', 'task.id', 'failure_template.last_task_id')
    .select(['failure_id as id', 'failure_template.template_id', 'last_task_id', 'project_id'])
    .where('failure_template.template_id', '=', templateId)
    .execute();
  const tasks = new Set<number>();
  for (let start = 0; start < rows.length; start += CHUNK) {
    const failures = rows.slice(start, start + CHUNK);
    const fixes = await lastFixes(read, { projectId: failures[0]?.project_id ?? 0 }, failures);
    for (const { id, last_task_id } of failures) if ((fixes.get(id) ?? 0) < last_task_id) tasks.add(last_task_id);
  }
  return [...tasks];
};
