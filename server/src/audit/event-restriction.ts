import type { StateTransaction } from '../database/database.ts';
import { OBJECTS_OF_TEMPLATES, type ObjectOfTemplate } from '../database/queries/objects-of-templates.ts';
import { isOwned } from '../database/queries/own-or-shared.ts';

interface AboutObject {
  readonly projectId: number | null;
  readonly objectType: string;
  readonly objectId: number | null;
}

const isOfTemplate = (type: string): type is ObjectOfTemplate =>
  (OBJECTS_OF_TEMPLATES as readonly string[]).includes(type);

const templates = (tx: StateTransaction) =>
  tx
    .selectFrom('template')
    .leftJoin('view', 'view.id', 'template.view_id')
    .select(['template.restricted as own', 'view.restricted as ofView']);

const hasRestrictions = async (tx: StateTransaction, projectId: number): Promise<boolean> =>
  (await templates(tx)
    .where('template.project_id', '=', projectId)
    .where((eb) => eb.or([eb('template.restricted', '=', 1), eb('view.restricted', '=', 1)]))
    .limit(1)
    .executeTakeFirst()) !== undefined;

const isRestrictedTemplate = async (tx: StateTransaction, id: number): Promise<boolean | undefined> => {
  const row = await templates(tx).where('template.id', '=', id).executeTakeFirst();
  return row && (row.own === 1 || row.ofView === 1);
};

const isRestrictedObject = async (
  tx: StateTransaction,
  table: ObjectOfTemplate,
  id: number,
): Promise<boolean | undefined> => {
  const row = await tx
    .selectFrom(table as 'task')
    .select('template_id')
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row) return undefined;
  if (isOwned(table)) {
    const owned = await tx.selectFrom(table).select('user_id').where('id', '=', id).executeTakeFirst();
    if (owned?.user_id) return true;
  }
  // A freeze window or a saved filter may concern no template.
  return row.template_id ? await isRestrictedTemplate(tx, row.template_id) : false;
};

/** Whether a task of a restricted template had a failure. */
const isRestrictedFailure = async (tx: StateTransaction, id: number): Promise<boolean> =>
  (await templates(tx)
    .innerJoin('failure_template', 'failure_template.template_id', 'template.id')
    .where('failure_template.failure_id', '=', id)
    .where((eb) => eb.or([eb('template.restricted', '=', 1), eb('view.restricted', '=', 1)]))
    .limit(1)
    .executeTakeFirst()) !== undefined;

/**
 * Whether an event is about what only some members may see: a grant, a saved launch or filter of one user, or a restricted template
 * or view and what belongs to it. If the object was deleted before, every restriction of the project counts.
 */
export const isRestrictedEvent = async (
  tx: StateTransaction,
  { projectId, objectType, objectId }: AboutObject,
): Promise<boolean> => {
  if (projectId === null || objectId === null) return false;
  if (objectType === 'grant') return true;
  if (objectType === 'view') {
    const view = await tx.selectFrom('view').select('restricted').where('id', '=', objectId).executeTakeFirst();
    return view?.restricted === 1;
  }
  if (objectType === 'failure') return await isRestrictedFailure(tx, objectId);
  if (objectType !== 'template' && !isOfTemplate(objectType)) return false;
  const found =
    objectType === 'template'
      ? await isRestrictedTemplate(tx, objectId)
      : await isRestrictedObject(tx, objectType, objectId);
  return found ?? (await hasRestrictions(tx, projectId));
};
