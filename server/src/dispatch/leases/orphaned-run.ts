import type { Kysely } from 'kysely';
import { recordEvent, SYSTEM } from '../../audit/record-event.ts';
import type { Database } from '../../database/database.ts';
import type { StateSchema } from '../../database/schema.ts';

interface EndedTask {
  readonly id: number;
  readonly project_id: number;
  readonly tpl_alias: string;
}

const KIND = 'task.runner_returned';

/** Records where the rest of the log is, once per task. */
export const recordOrphanReturn = async (
  database: Database,
  task: EndedTask,
  runner: number,
  now: Date,
): Promise<void> => {
  const nameOf = async (db: Kysely<StateSchema>) =>
    (await db.selectFrom('runner').select('name').where('id', '=', runner).executeTakeFirst())?.name ?? '';
  await database.write(async (tx) => {
    const known = await tx
      .selectFrom('event')
      .select('id')
      .where('project_id', '=', task.project_id)
      .where('object_type', '=', 'task')
      .where('object_id', '=', task.id)
      .where('kind', '=', KIND)
      .executeTakeFirst();
    if (known) return;
    await recordEvent(tx, {
      actor: SYSTEM,
      projectId: task.project_id,
      objectType: 'task',
      objectId: task.id,
      objectName: task.tpl_alias,
      kind: KIND,
      params: { id: task.id, template: task.tpl_alias, runner: await nameOf(tx) },
      at: now,
    });
  });
};
