import { FINAL_STATUSES } from '@signalbox/contract';
import type { StateReader } from '../../database/database.ts';

/** Number of newest tasks that are checked. Those that still run are among them. */
const CHECKED = 50;

/**
 * Whether one of the newest ended tasks has not been measured.
 * @param projectId undefined for all projects
 */
export const isOutdated = async (
  db: StateReader,
  projectId?: number,
  hidden: ReadonlySet<number> = new Set(),
): Promise<boolean> => {
  const rows = await db
    .selectFrom('task')
    .select(['template_id', 'status', 'log_bytes'])
    .$if(projectId !== undefined, (query) => query.where('project_id', '=', projectId ?? 0))
    .orderBy('id', 'desc')
    .limit(CHECKED)
    .execute();
  const final: readonly string[] = FINAL_STATUSES;
  return rows.some(
    ({ template_id, status, log_bytes }) =>
      log_bytes === null && final.includes(status) && (template_id === null || !hidden.has(template_id)),
  );
};
