import type { StateReader } from '../database.ts';

/** Names of the keys of a project by id, to sort lists by them. */
export const readKeyNames = async (db: StateReader, projectId: number): Promise<ReadonlyMap<number, string>> => {
  const keys = await db.selectFrom('access_key').select(['id', 'name']).where('project_id', '=', projectId).execute();
  return new Map(keys.map(({ id, name }) => [id, name]));
};
