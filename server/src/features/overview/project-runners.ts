import { MAX_OVERVIEW, type Overview } from '@signalbox/contract';
import type { StateReader } from '../../database/database.ts';

/** The ids of the runners that take tasks of a project, without paused and draining ones. */
export type RunnersOfProject = (db: StateReader, projectId: number) => Promise<ReadonlySet<number>>;

const lasting = (db: StateReader) =>
  db.selectFrom('runner').select(['id', 'name', 'last_contact']).where('ephemeral', '=', 0).orderBy('name').execute();

/** Which runners of those that take tasks of a project are connected to any server, and which were and no longer are. */
export const readRunners = async (
  db: StateReader,
  takes: ReadonlySet<number>,
  connected: readonly { readonly id: number }[],
): Promise<Pick<Overview, 'runners_online' | 'runners_away'>> => {
  const rows = (await lasting(db)).filter(({ id }) => takes.has(id));
  const online = new Set(connected.map(({ id }) => id));
  const away = rows.flatMap(({ id, name, last_contact }) =>
    last_contact === null || online.has(id) ? [] : [{ id, name, last_contact }],
  );
  return {
    runners_online: rows.filter(({ id }) => online.has(id)).length,
    runners_away: away.slice(0, MAX_OVERVIEW),
  };
};
