import { locksOf, MAX_LOCK_NAME } from '@signalbox/contract';
import type { Selectable } from 'kysely';
import type { StateTransaction } from '../../../database/database.ts';
import type { TemplateTable } from '../../../database/schema.ts';
import { badField } from '../../../http/errors/api-error.ts';
import type { TaskRow } from '../task-transition.ts';

/**
 * The names of the locks of a new task.
 * @param answersJson its answers that are no secrets
 * @throws bad_input if an answer makes a name too long
 */
export const locksOfTask = (template: Pick<Selectable<TemplateTable>, 'locks'>, answersJson: string): string[] => {
  const names = locksOf(JSON.parse(template.locks) as string[], JSON.parse(answersJson) as Record<string, unknown>);
  if (names.some((name) => name.length > MAX_LOCK_NAME))
    throw badField('environment', 'lock.too_long', { max: MAX_LOCK_NAME });
  return names;
};

/** Stores the locks that a claim compares. Tasks in check mode share theirs with each other. */
export const storeLocks = async (tx: StateTransaction, task: TaskRow, names: readonly string[]): Promise<void> => {
  const { id: task_id, project_id, dry_run: shared } = task;
  if (task.lock_hosts === 1) await tx.insertInto('task_hosts').values({ task_id, project_id, shared }).execute();
  if (names.length === 0) return;
  const rows = names.map((name) => ({ task_id, project_id, name, shared }));
  await tx.insertInto('task_lock').values(rows).execute();
};
