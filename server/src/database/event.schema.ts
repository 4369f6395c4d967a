import type { ColumnType, Generated } from 'kysely';

type Id = Generated<number>;
/** Written once, when the row is inserted. */
type Fixed<T> = ColumnType<T, T, never>;

/** What happened, when, who did it and to which object. */
export interface EventTable {
  id: Id;
  user_id: Fixed<number | null>;
  project_id: Fixed<number | null>;
  object_id: Fixed<number | null>;
  object_type: Fixed<string>;
  object_name: Fixed<string>;
  /** The kind of the event. Only the retention sweep changes it, in events that it inserted. */
  kind: string;
  /** Parameters of the kind as JSON. */
  params: string;
  address: Fixed<string>;
  /** The API token of the call that caused the event; null without one. */
  token_id: ColumnType<number | null, number | null | undefined, never>;
  /** Name of that token, also after it was revoked; otherwise empty. */
  token_name: ColumnType<string, string | undefined, never>;
  created: Fixed<string>;
  /** Whether the event is about a grant, a private object, or a restricted template or view. */
  restricted: ColumnType<0 | 1, 0 | 1 | undefined, never>;
  /** Name of a deleted user who caused the event; otherwise empty. */
  deleted_user: ColumnType<string, undefined, string>;
}
