import type { ColumnType, Generated } from 'kysely';

type Id = Generated<number>;
/** Set once, at the insert. */
type Fixed<T> = ColumnType<T, T, never>;

/** What happened, and who did it to what, when. */
export interface EventTable {
  id: Id;
  user_id: Fixed<number | null>;
  project_id: Fixed<number | null>;
  object_id: Fixed<number | null>;
  object_type: Fixed<string>;
  object_name: Fixed<string>;
  /** What happened. Changed only by the retention sweep that inserted the row. */
  kind: string;
  /** Parameters of the kind as JSON. */
  params: string;
  address: Fixed<string>;
  created: Fixed<string>;
  /** Name of the user who did it, once they are deleted; else empty. */
  deleted_user: ColumnType<string, undefined, string>;
}
