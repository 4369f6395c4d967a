import type { StateReader } from './database.ts';

/** The names of the keys of a project by id: lists of what uses keys can be sorted by them. */
export const readKeyNames = async (db: StateReader, projectId: number): Promise<ReadonlyMap<number, string>> => {
  const keys = await db.selectFrom('access_key').select(['id', 'name']).where('project_id', '=', projectId).execute();
  return new Map(keys.map(({ id, name }) => [id, name]));
};
