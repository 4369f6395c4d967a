import type { Sorting, Task, Template } from '@signalbox/contract';
import type { Selectable } from 'kysely';
import type { StateReader } from '../../database/database.ts';
import type { TemplateTable } from '../../database/schema.ts';
import { sorted } from '../../http/objects/sorted.ts';
import { mapInSlices } from '../../work-slice.ts';
import { presentTemplate } from './template.store.ts';
import { findLabels } from './template-labels.ts';

type Row = Selectable<TemplateTable>;
export type FindTasks = (db: StateReader, ids: readonly number[]) => Promise<Map<number, Task>>;

/** Returns templates as the API answers them, each with its newest task. */
export const withLastTasks = async (
  db: StateReader,
  findTasks: FindTasks,
  rows: readonly Row[],
): Promise<Template[]> => {
  const tasks = await findTasks(
    db,
    rows.flatMap((row) => (row.last_task_id === null ? [] : [row.last_task_id])),
  );
  const [first] = rows;
  const labels =
    first &&
    (await findLabels(db, { projectId: first.project_id, ...(rows.length === 1 && { templateId: first.id }) }));
  // In slices, because presentTemplate parses the survey of each template.
  return await mapInSlices(rows, (row) =>
    presentTemplate(row, tasks.get(row.last_task_id ?? 0) ?? null, labels?.get(row.id)),
  );
};

/** Columns that show the name of a referenced object. */
const REFERRED = {
  inventory: 'inventory_id',
  environment: 'environment_id',
  repository: 'repository_id',
} as const satisfies Record<string, keyof Template>;

const isReferred = (column: string | undefined): column is keyof typeof REFERRED =>
  column !== undefined && column in REFERRED;

/** Sorts templates as the query asks, also by the names of referenced objects. */
export const sortTemplates = async (
  db: StateReader,
  projectId: number,
  templates: readonly Template[],
  query: Sorting,
): Promise<Template[]> => {
  const names = new Map<number, string>();
  if (isReferred(query.sort)) {
    const rows = await db.selectFrom(query.sort).select(['id', 'name']).where('project_id', '=', projectId).execute();
    for (const { id, name } of rows) names.set(id, name);
  }
  return sorted(templates, query, 'name', (template, column) => {
    if (isReferred(column)) return names.get(template[REFERRED[column]] ?? 0);
    if (column === 'version') return template.last_task?.version;
    if (column === 'status') return template.last_task?.status;
    if (column === 'last_task') return template.last_task_id;
    return template[column as 'name' | 'type' | 'playbook'];
  });
};
