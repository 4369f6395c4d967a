import type { Selectable } from 'kysely';
import type { StateReader } from '../../database/database.ts';
import type { ProjectTable } from '../../database/schema.ts';
import { StartError } from '../../start-error.ts';

/** Picks the object with a name, or with an id when none has this name. */
const pick = <T extends { readonly id: number; readonly name: string }>(
  all: readonly T[],
  wanted: string,
  what: string,
): T => {
  const byName = all.filter(({ name }) => name === wanted);
  const [one, second] = byName.length > 0 ? byName : all.filter(({ id }) => String(id) === wanted);
  if (!one) throw new StartError(`There is no ${what} ${wanted}.`);
  if (second) throw new StartError(`There is more than one ${what} named ${wanted}. Use its id.`);
  return one;
};

/** @throws StartError when no project, or more than one, has this name or id */
export const findProject = async (db: StateReader, wanted: string): Promise<Selectable<ProjectTable>> =>
  pick(await db.selectFrom('project').selectAll().orderBy('id').execute(), wanted, 'project');

/**
 * Finds a template by the names or ids of its project and itself, such as `Shop/Deploy`. Names may contain slashes, so
 * every position of the separating slash is tried.
 * @throws StartError when there is none, or more than one
 */
export const findTemplateId = async (db: StateReader, wanted: string): Promise<number> => {
  const slashes = [...wanted.matchAll(/\//g)].map(({ index }) => index);
  if (slashes.length === 0) throw new StartError('Name the project and the template, such as Shop/Deploy.');
  const projects = await db.selectFrom('project').select(['id', 'name']).orderBy('id').execute();
  const at = slashes.find((index) =>
    projects.some(({ id, name }) => [name, String(id)].includes(wanted.slice(0, index))),
  );
  const project = pick(projects, wanted.slice(0, at ?? slashes[0]), 'project');
  const templates = await db
    .selectFrom('template')
    .select(['id', 'name'])
    .where('project_id', '=', project.id)
    .orderBy('id')
    .execute();
  return pick(templates, wanted.slice((at ?? 0) + 1), 'template').id;
};
