import type { NewRunner } from '@signalbox/contract';
import type { Insertable, Selectable } from 'kysely';
import type { z } from 'zod';
import type { Database, StateReader, StateTransaction } from '../../database/database.ts';
import type { RunnerTable } from '../../database/schema.ts';
import { badField } from '../../http/errors/api-error.ts';

export type RunnerRow = Selectable<RunnerTable>;
export type RunnerSettings = z.output<typeof NewRunner>;

/** The projects of the runners that are limited to some, by the id of the runner. */
export const readRunnerProjects = async (db: StateReader): Promise<(id: number) => number[]> => {
  const rows = await db.selectFrom('runner_project').selectAll().orderBy('project_id').execute();
  return (id) => rows.filter(({ runner_id }) => runner_id === id).map(({ project_id }) => project_id);
};

/** What an admin sets of a runner, as it is stored. */
export const settingsOf = (row: RunnerRow, projects: readonly number[]): RunnerSettings => ({
  name: row.name,
  tags: JSON.parse(row.tags) as string[],
  description: row.description,
  paused: row.paused === 1,
  projects: row.projects_limited === 1 ? [...projects] : null,
});

/** The columns of the settings of a runner. */
export const settingColumns = ({ name, tags, description, paused, projects }: RunnerSettings) =>
  ({
    name,
    tags: JSON.stringify(tags),
    description,
    paused: paused ? 1 : 0,
    projects_limited: projects === null ? 0 : 1,
  }) satisfies Partial<Insertable<RunnerTable>>;

/** Replaces the projects of a runner. @throws bad_input if one does not exist */
export const replaceProjects = async (
  { capabilities }: Database,
  tx: StateTransaction,
  runnerId: number,
  projects: readonly number[],
): Promise<void> => {
  await tx.deleteFrom('runner_project').where('runner_id', '=', runnerId).execute();
  if (projects.length === 0) return;
  const rows = projects.map((project_id) => ({ runner_id: runnerId, project_id }));
  try {
    await tx.insertInto('runner_project').values(rows).execute();
  } catch (error) {
    throw capabilities.isDangling(error) ? badField('projects', 'field.not_project') : error;
  }
};
