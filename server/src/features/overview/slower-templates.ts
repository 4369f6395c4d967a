import { MAX_OVERVIEW, type Overview, TREND_DAYS } from '@signalbox/contract';
import { DAY_MS } from '@signalbox/contract/limits';
import type { StateReader } from '../../database/database.ts';

/** The templates of a project that became slower in the last days, the last one first. */
export const findSlower = async (
  db: StateReader,
  projectId: number,
  hidden: ReadonlySet<number>,
  now: Date,
): Promise<Overview['slower']> => {
  const rows = await db
    .selectFrom('slower_template')
    .innerJoin('template', 'template.id', 'slower_template.template_id')
    .innerJoin('task', 'task.id', 'slower_template.task_id')
    .selectAll('slower_template')
    .select(['template.name', 'task.created as since'])
    .where('template.project_id', '=', projectId)
    .where('task.created', '>=', new Date(now.getTime() - TREND_DAYS * DAY_MS).toISOString())
    .$if(hidden.size > 0, (query) => query.where('template.id', 'not in', [...hidden]))
    .orderBy('slower_template.task_id', 'desc')
    .limit(MAX_OVERVIEW)
    .execute();
  return rows.map((row) => ({ ...row, before_ms: Number(row.before_ms), after_ms: Number(row.after_ms) }));
};
