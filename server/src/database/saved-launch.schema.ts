import type { ColumnType, Generated } from 'kysely';

/** Values with which tasks of a template are started again and again. */
export interface SavedLaunchTable {
  id: Generated<number>;
  project_id: ColumnType<number, number, never>;
  template_id: ColumnType<number, number, never>;
  /** Null if it is shared with the project. */
  user_id: number | null;
  name: string;
  /** JSON without secret answers. */
  launch_values: string;
}
