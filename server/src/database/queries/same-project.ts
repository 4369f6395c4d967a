import type { StateReader } from '../database.ts';

/** Tables with rows of projects that other rows refer to. */
export type Referable =
  | 'access_key'
  | 'inventory'
  | 'environment'
  | 'repository'
  | 'view'
  | 'label'
  | 'freeze_window'
  | 'template'
  | 'saved_launch'
  | 'saved_filter'
  | 'schedule'
  | 'webhook'
  | 'host'
  | 'alert_receiver';

/** Whether the row exists and belongs to the project. */
export const belongsTo = async (db: StateReader, table: Referable, id: number, projectId: number): Promise<boolean> =>
  (await db
    .selectFrom(table)
    .select('id')
    .where('id', '=', id)
    .where('project_id', '=', projectId)
    .executeTakeFirst()) !== undefined;
