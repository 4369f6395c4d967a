import type { View } from '@signalbox/contract';
import type { Selectable } from 'kysely';
import { recordCreated } from '../../audit/object-event.ts';
import type { Actor } from '../../audit/record-event.ts';
import type { StateTransaction } from '../../database/database.ts';
import type { ViewTable } from '../../database/template-list.schema.ts';

/** The view as the API answers it. */
export const presentView = (row: Selectable<ViewTable>): View => ({ ...row, restricted: row.restricted === 1 });

/** The position after the last view of a project. */
const nextPosition = async (tx: StateTransaction, projectId: number): Promise<number> => {
  const last = await tx
    .selectFrom('view')
    .select((eb) => eb.fn.max('position').as('position'))
    .where('project_id', '=', projectId)
    .executeTakeFirst();
  return last?.position === null || last?.position === undefined ? 0 : Number(last.position) + 1;
};

export const insertView = async (
  tx: StateTransaction,
  projectId: number,
  view: { readonly title: string; readonly position?: number | undefined; readonly restricted?: boolean },
  actor: Actor,
  now: Date,
): Promise<View> => {
  const position = view.position ?? (await nextPosition(tx, projectId));
  const row = await tx
    .insertInto('view')
    .values({ project_id: projectId, title: view.title, position, restricted: view.restricted ? 1 : 0 })
    .returningAll()
    .executeTakeFirstOrThrow();
  await recordCreated(tx, 'view', { ...row, name: row.title }, actor, now);
  return presentView(row);
};
