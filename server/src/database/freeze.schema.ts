import type { ScheduledRuns } from '@signalbox/contract';
import type { ColumnType, Generated } from 'kysely';

/** A time in which tasks of a project are not started. At most one of template, inventory and label is set. */
export interface FreezeWindowTable {
  id: Generated<number>;
  project_id: ColumnType<number, number, never>;
  name: string;
  reason: string;
  template_id: number | null;
  inventory_id: number | null;
  label_id: number | null;
  /** Begin and end of a window that does not repeat. */
  starts_at: string | null;
  ends_at: string | null;
  /** Begin and length of a window that repeats; empty and null for one that does not. */
  cron_format: string;
  duration_seconds: number | null;
  /** Time zone of the cron. */
  timezone: string;
  scheduled_runs: ScheduledRuns;
}
