import type { StateReader } from '../database/database.ts';
import { type Freeze, type FreezeTarget, freezeAt, freezes } from './freeze.ts';
import type { FreezeWindowRow } from './freeze-times.ts';

/** The freeze windows of projects. */
export const readWindows = (db: StateReader, projectIds: readonly number[]): Promise<FreezeWindowRow[]> =>
  db
    .selectFrom('freeze_window')
    .selectAll()
    .where('project_id', 'in', [0, ...projectIds])
    .orderBy('id')
    .execute();

/** The labels of templates, by the id of the template. */
export const readLabels = async (
  db: StateReader,
  templateIds: readonly number[],
): Promise<ReadonlyMap<number, readonly number[]>> => {
  const rows = await db
    .selectFrom('template_label')
    .selectAll()
    .where('template_id', 'in', [0, ...templateIds])
    .execute();
  const labels = new Map<number, number[]>();
  for (const { template_id, label_id } of rows) labels.set(template_id, [...(labels.get(template_id) ?? []), label_id]);
  return labels;
};

/** The freeze of a task that would start now; undefined if it may start. */
export const findFreeze = async (
  db: StateReader,
  projectId: number,
  target: Omit<FreezeTarget, 'labels'>,
  now: Date,
): Promise<Freeze | undefined> => {
  const windows = await readWindows(db, [projectId]);
  if (windows.length === 0) return undefined;
  const labels = (await readLabels(db, [target.templateId])).get(target.templateId) ?? [];
  return freezeAt(
    windows.filter((window) => freezes(window, { ...target, labels })),
    now,
  );
};
