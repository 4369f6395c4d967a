import type { Kysely } from 'kysely';
import { recordEvent, SYSTEM } from '../audit/record-event.ts';
import type { Database } from '../database/database.ts';
import type { StateSchema } from '../database/schema.ts';
import type { LogStore } from '../logs/log-store.ts';

/** Last lines of tasks that ended while nobody could ask their runner; it may come back and know better. */
export const FELL_SILENT = 'The runner fell silent for ';
export const FORCED = 'Stopped by force while its runner could not be reached.';

interface EndedTask {
  readonly id: number;
  readonly project_id: number;
  readonly tpl_alias: string;
}

/**
 * How a task was ended without its runner, told by the last line of its log: what that runner still has of it came too
 * late. Undefined for one that was not.
 */
export const endWithoutRunner = async (logs: LogStore, taskId: number): Promise<'lost' | 'stopped' | undefined> => {
  const { next_line, sealed } = await logs.head(taskId);
  if (!sealed) return undefined;
  const [last] = await logs.lines(taskId, Math.max(1, next_line - 1), 1);
  // A playbook can print the same text, but its lines have no source.
  if (last?.[2] !== 'server') return undefined;
  if (last[1] === FORCED) return 'stopped';
  return last[1].startsWith(FELL_SILENT) ? 'lost' : undefined;
};

/** Tells the project where the rest of the log is; once, however often the runner comes. */
export const recordLateReturn = async (
  database: Database,
  task: EndedTask,
  runner: number,
  now: Date,
): Promise<void> => {
  const nameOf = async (db: Kysely<StateSchema>) =>
    (await db.selectFrom('runner').select('name').where('id', '=', runner).executeTakeFirst())?.name ?? '';
  await database.write(async (tx) => {
    const description = `The runner ${await nameOf(tx)} came back when task #${task.id} of ${task.tpl_alias} had ended already: what it has of it is kept on that runner for 24 hours`;
    const known = await tx
      .selectFrom('event')
      .select('id')
      .where('project_id', '=', task.project_id)
      .where('object_type', '=', 'task')
      .where('object_id', '=', task.id)
      .where('description', '=', description)
      .executeTakeFirst();
    if (known) return;
    await recordEvent(tx, {
      actor: SYSTEM,
      projectId: task.project_id,
      objectType: 'task',
      objectId: task.id,
      objectName: task.tpl_alias,
      description,
      at: now,
    });
  });
};
