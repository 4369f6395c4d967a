import type { StateTransaction } from '../../database/database.ts';
import { isCountedRun } from './counted-runs.ts';
import { type FixChange, type FixDeps, findFixChanges, type Run } from './fix-changes.ts';
import { encodeHosts } from './host-lines.ts';

const storeFix = (tx: StateTransaction, { failure_id, template_id, task_id }: FixChange, fixed_by: number) =>
  tx
    .updateTable('failure_template')
    .set({ fixed_by })
    .where('failure_id', '=', failure_id)
    .where('template_id', '=', template_id)
    // A stored fix that is earlier, or that belongs to a later task with the failure, is kept.
    .where((eb) =>
      eb.or([
        eb('fixed_by', 'is', null),
        eb('fixed_by', '<', task_id),
        eb.and([eb('fixed_by', '>', fixed_by), eb('last_task_id', '=', task_id)]),
      ]),
    )
    .execute();

const storeOpenHosts = (tx: StateTransaction, { failure_id, template_id, row, open }: FixChange, taskId: number) =>
  tx
    .updateTable('failure_template')
    .set({
      open_hosts: encodeHosts(open),
      open_count: open.length,
      open_after: Math.max(taskId, row.open_after ?? 0),
    })
    .where('failure_id', '=', failure_id)
    .where('template_id', '=', template_id)
    .where('last_task_id', '=', row.last_task_id)
    .execute();

/** Stores on which hosts a run has fixed failures. @returns what it changed */
const storeFixesOf = async (deps: FixDeps, run: Run): Promise<FixChange[]> => {
  const changes = await findFixChanges(deps, run);
  if (changes.length === 0) return [];
  await deps.database.write(async (tx) => {
    for (const change of changes) {
      if (change.open.length === 0) await storeFix(tx, change, run.taskId);
      else if (change.row.last_task_id <= run.taskId) await storeOpenHosts(tx, change, run.taskId);
    }
  });
  return changes;
};

/** Stores which of the failures of a run later runs have fixed: runs can end in another order than they were started in. */
const storeLaterFixes = async (deps: FixDeps, templateId: number, taskId: number): Promise<void> => {
  const { read } = deps.database;
  const own = await read.selectFrom('task_failure').select('failure_id').where('task_id', '=', taskId).execute();
  const failures = new Set(own.map(({ failure_id }) => failure_id));
  for (let after = taskId; failures.size > 0; ) {
    const next = await read
      .selectFrom('task')
      .select('id')
      .where('template_id', '=', templateId)
      .where('id', '>', after)
      .where(isCountedRun('task'))
      .orderBy('id')
      .limit(1)
      .executeTakeFirst();
    if (!next) return;
    after = next.id;
    const changes = await storeFixesOf(deps, { templateId, taskId: after, failures });
    for (const { failure_id, open } of changes) if (open.length === 0) failures.delete(failure_id);
  }
};

/**
 * Stores which failures of its template an ended run has fixed, and on which hosts. Storing a run again changes nothing.
 * @returns whether the run changed any
 */
export const storeFixes = async (deps: FixDeps, taskId: number): Promise<boolean> => {
  const task = await deps.database.read
    .selectFrom('task')
    .select('template_id')
    .where('id', '=', taskId)
    .where(isCountedRun('task'))
    .executeTakeFirst();
  if (!task) return false;
  const changes = await storeFixesOf(deps, { templateId: task.template_id, taskId });
  await storeLaterFixes(deps, task.template_id, taskId);
  return changes.length > 0;
};
