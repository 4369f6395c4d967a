import type { Kysely } from 'kysely';
import { recordEvent, SYSTEM } from '../audit/record-event.ts';
import type { Database } from '../database/database.ts';
import type { StateSchema } from '../database/schema.ts';

interface EndedTask {
  readonly id: number;
  readonly project_id: number;
  readonly tpl_alias: string;
}

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
