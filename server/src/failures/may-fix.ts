import type { StateReader } from '../database/database.ts';

interface EndedRun {
  readonly id: number;
  readonly template_id: number;
}

/** Whether an ended run may be the first one without a failure that its template had before. */
export const mayFix = async (db: StateReader, { id, template_id }: EndedRun): Promise<boolean> => {
  const row = await openFailures(db, template_id, id).select('failure_id').limit(1).executeTakeFirst();
  return row !== undefined;
};

/** The failures of a template that had occurred before a run, and that no earlier run has fixed since. */
export const openFailures = (db: StateReader, templateId: number, taskId: number) =>
  db
    .selectFrom('failure_template as l')
    .where('template_id', '=', templateId)
    .where('first_task_id', '<', taskId)
    .where((eb) =>
      eb.or([
        eb('fixed_by', 'is', null),
        eb('fixed_by', '<', eb.ref('last_task_id')),
        // Runs can end in another order than they were started in.
        eb('fixed_by', '>', taskId),
      ]),
    );
