import { type SqlBool, sql } from 'kysely';
import type { StateReader } from '../database/database.ts';

interface EndedRun {
  readonly id: number;
  readonly template_id: number;
}

/** Whether an ended run may be the first one without a failure that its template had before. */
export const mayFix = async (db: StateReader, { id, template_id }: EndedRun): Promise<boolean> => {
  const row = await unfixedFailures(db, template_id, id).select('failure_id').limit(1).executeTakeFirst();
  return row !== undefined;
};

/** Condition for failures of a template that no run has fixed since their last task. */
export const isUnfixed = (table: string) => {
  const column = (name: string) => sql.ref(`${table}.${name}`);
  return sql<SqlBool>`(${column('fixed_by')} is null or ${column('fixed_by')} < ${column('last_task_id')})`;
};

/** The failures of a template that had occurred before a run, and that no earlier run has fixed since. */
export const unfixedFailures = (db: StateReader, templateId: number, taskId: number) =>
  db
    .selectFrom('failure_template as l')
    .where('l.template_id', '=', templateId)
    .where('l.first_task_id', '<', taskId)
    .where((eb) =>
      eb.or([
        isUnfixed('l'),
        // Runs can end in another order than they were started in.
        eb('l.fixed_by', '>', taskId),
      ]),
    );
