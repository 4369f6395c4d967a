import { createHash } from 'node:crypto';
import type { StateTransaction } from '../../../database/database.ts';
import type { TaskRow } from '../task-transition.ts';

/** Longest name that is compared as it is, in characters. Answers can be longer, but an index is limited. */
const MAX_NAME = 150;

const indexedName = (name: string): string =>
  name.length <= MAX_NAME
    ? name
    : `${name.slice(0, MAX_NAME)} ${createHash('sha256').update(name).digest('hex').slice(0, 32)}`;

/** Stores the locks that a claim compares. Tasks in check mode share theirs with each other. */
export const storeLocks = async (tx: StateTransaction, task: TaskRow, names: readonly string[]): Promise<void> => {
  if (names.length === 0) return;
  const { id: task_id, project_id, dry_run: shared } = task;
  const rows = names.map((name) => ({ task_id, project_id, name: indexedName(name), shared }));
  await tx.insertInto('task_lock').values(rows).execute();
};
