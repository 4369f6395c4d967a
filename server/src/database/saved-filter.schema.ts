import type { EndReasonCode, TaskStatus } from '@signalbox/contract';
import type { ColumnType, Generated } from 'kysely';

/** A name for a filter of the history. */
export interface SavedFilterTable {
  id: Generated<number>;
  project_id: ColumnType<number, number, never>;
  /** Null if it is shared with the project. */
  user_id: number | null;
  name: string;
  search: string;
  status: TaskStatus | null;
  end_reason: EndReasonCode | null;
  template_id: number | null;
  /** The user who started the tasks. */
  starter_id: number | null;
  /** Number of days including today. */
  days: number | null;
  /** The first and the last day, such as `2026-11-21`. */
  from_day: string | null;
  to_day: string | null;
}
