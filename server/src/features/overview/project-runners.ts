import { MAX_OVERVIEW, type Overview } from '@signalbox/contract';
import type { StateReader } from '../../database/database.ts';

/** The runners that take tasks of a project, and that an administrator did not pause. */
const runnersOf = (db: StateReader, projectId: number) =>
  db
    .selectFrom('runner')
    .select(['id', 'name', 'last_contact'])
    .where('paused', '=', 0)
    .where('ephemeral', '=', 0)
    .where((eb) =>
      eb.or([
        eb('projects_limited', '=', 0),
        eb.exists(
          eb
            .selectFrom('runner_project')
            .select('runner_id')
            .whereRef('runner_id', '=', 'runner.id')
            .where('project_id', '=', projectId),
        ),
      ]),
    )
    .orderBy('name')
    .execute();

/** Which runners of a project are connected to any server, and which were and no longer are. */
export const readRunners = async (
  db: StateReader,
  projectId: number,
  connected: readonly { readonly id: number }[],
): Promise<Pick<Overview, 'runners_online' | 'runners_away'>> => {
  const rows = await runnersOf(db, projectId);
  const online = new Set(connected.map(({ id }) => id));
  const away = rows.flatMap(({ id, name, last_contact }) =>
    last_contact === null || online.has(id) ? [] : [{ id, name, last_contact }],
  );
  return {
    runners_online: rows.filter(({ id }) => online.has(id)).length,
    runners_away: away.slice(0, MAX_OVERVIEW),
  };
};
