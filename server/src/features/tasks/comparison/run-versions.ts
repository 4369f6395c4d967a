import { RunVersions, type VersionDifference } from '@signalbox/contract';
import type { StateReader } from '../../../database/database.ts';

/** What tasks were executed with, by the ids of those of which it is known. */
const readVersions = async (db: StateReader, ids: readonly number[]): Promise<ReadonlyMap<number, RunVersions>> => {
  const rows = await db.selectFrom('task_version').selectAll().where('task_id', 'in', ids).execute();
  return new Map(rows.map(({ task_id, versions }) => [task_id, RunVersions.parse(JSON.parse(versions))]));
};

/** What a task was executed with; undefined if it is unknown. */
export const versionsOf = async (db: StateReader, id: number): Promise<RunVersions | undefined> =>
  (await readVersions(db, [id])).get(id);

type Requirements = RunVersions['collections'];

const changedRequirements = (
  what: 'collection' | 'role',
  earlier: Requirements,
  later: Requirements,
): VersionDifference[] => {
  const [before, after] = [earlier, later].map((list) => new Map(list.map(({ name, version }) => [name, version])));
  return [...new Set([...earlier, ...later].map(({ name }) => name))]
    .sort()
    .map((name) => ({ what, name, earlier: before?.get(name) ?? null, later: after?.get(name) ?? null }))
    .filter((difference) => difference.earlier !== difference.later);
};

/** The versions that differ between two tasks; none if those of one task are unknown. */
export const changedVersions = async (
  db: StateReader,
  earlier: number,
  later: number,
): Promise<VersionDifference[]> => {
  const found = await readVersions(db, [earlier, later]);
  const [before, after] = [found.get(earlier), found.get(later)];
  if (!before || !after) return [];
  const programs = (['ansible', 'python', 'image_digest'] as const)
    .filter((what) => before[what] !== after[what])
    .map((what) => ({ what, name: '', earlier: before[what], later: after[what] }));
  return [
    ...programs,
    ...changedRequirements('collection', before.collections, after.collections),
    ...changedRequirements('role', before.roles, after.roles),
  ];
};
