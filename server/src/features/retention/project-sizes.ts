import type { StateReader } from '../../database/database.ts';
import { presentSizes, SIZE_COLUMNS } from './storage-totals.ts';

const NONE = { tasks: 0, logs: 0, log_bytes: 0, result_bytes: 0, written: 0, expiring: 0 };

/** Reads the measured sizes of all projects. */
export const readProjectSizes = async (db: StateReader) => {
  const sums = await db
    .selectFrom('template_storage')
    .select((eb) => [
      'project_id',
      ...SIZE_COLUMNS.map((column) => eb.fn.sum<number | string | null>(column).as(column)),
      eb.fn.min('measured').as('measured'),
    ])
    .groupBy('project_id')
    .execute();
  const byProject = new Map(sums.map(({ project_id, measured, ...row }) => [project_id, { measured, row }]));
  const projects = await db
    .selectFrom('project')
    .leftJoin('project_storage', 'project_storage.project_id', 'project.id')
    .select(['project.id', 'name', 'host_bytes', 'measured'])
    .execute();
  return projects.map(({ id, name, host_bytes, measured }) => {
    const found = byProject.get(id);
    return {
      ...{ project_id: id, name },
      ...presentSizes(found?.row ?? NONE),
      host_bytes: Number(host_bytes ?? 0),
      measured: found?.measured ?? measured,
    };
  });
};
