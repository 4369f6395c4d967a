import type { ColumnType, Generated } from 'kysely';

/** Written once, when the row is inserted. */
type Fixed<T> = ColumnType<T, T, never>;

export type AuditDestination = 'file' | 'syslog' | 'https';

/** A destination that receives every event from the moment at which it was set up. */
export interface AuditDestinationTable {
  name: Fixed<AuditDestination>;
  created: Fixed<string>;
}

/** An event that a destination has not received, as it was when it happened. */
export interface AuditEntryTable {
  id: Generated<number>;
  destination: Fixed<AuditDestination>;
  event_id: Fixed<number>;
  /** JSON of everything but the two names. */
  entry: string;
  username: Fixed<string>;
  project_name: Fixed<string>;
}
