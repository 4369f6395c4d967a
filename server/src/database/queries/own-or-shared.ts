import { type Expression, expressionBuilder, type Selectable, type SelectQueryBuilder, type SqlBool } from 'kysely';
import type { StateReader } from '../database.ts';
import type { StateSchema } from '../schema.ts';

/** Tables whose rows belong to one user, or to the project if `user_id` is null. */
const OWNED = ['saved_launch', 'saved_filter'] as const;
export type OwnedTable = (typeof OWNED)[number];

export const isOwned = (table: string): table is OwnedTable => OWNED.some((owned) => owned === table);

/**
 * Whether a row is shared or belongs to the user.
 * @param table name of the table in the query
 */
export const ownOrShared = (table: string, userId: number): Expression<SqlBool> => {
  const eb = expressionBuilder<StateSchema, 'saved_launch'>();
  const owner = `${table}.user_id` as 'saved_launch.user_id';
  return eb.or([eb(owner, 'is', null), eb(owner, '=', userId)]);
};

/** The objects of a project, or of one of its templates, that a user sees: those that are shared, and their own. */
export const visibleRows = <T extends OwnedTable>(
  db: StateReader,
  table: T,
  { project_id, template_id }: { readonly project_id: number; readonly template_id?: number },
  userId: number,
): SelectQueryBuilder<StateSchema, T, Selectable<StateSchema[T]>> => {
  const rows = db
    .selectFrom(table as 'saved_launch')
    .selectAll()
    .where('project_id', '=', project_id)
    .where(ownOrShared(table, userId))
    .$if(template_id !== undefined, (qb) => qb.where('template_id', '=', template_id ?? 0));
  return rows as unknown as SelectQueryBuilder<StateSchema, T, Selectable<StateSchema[T]>>;
};

/** The number of rows that a user, or null for the project, has among those with this id in a column. */
export const countOwned = async (
  db: StateReader,
  table: OwnedTable,
  [column, id]: readonly ['project_id' | 'template_id', number],
  userId: number | null,
): Promise<number> => {
  const { count } = await db
    .selectFrom(table)
    .select((eb) => eb.fn.countAll().as('count'))
    .where(column, '=', id)
    .where('user_id', userId === null ? 'is' : '=', userId)
    .executeTakeFirstOrThrow();
  return Number(count);
};
