import type { Event } from '@signalbox/contract';
import { readEvent } from '../../audit/read-event.ts';
import type { Database, StateReader } from '../../database/database.ts';
import { newestOf } from '../../database/queries/newest-of.ts';
import type { Caller, Handlers } from '../../http/calls/call.ts';
import { isAdminOfProjects, reaches } from '../../http/calls/token-grant.ts';
import { listPage } from '../../http/objects/list-page.ts';
import { sorted } from '../../http/objects/sorted.ts';

const LAST_EVENTS = 200;
const MAX_EVENTS = 1000;

interface Wanted {
  readonly limit: number;
  readonly before?: number | undefined;
}

/** Events, newest first: of one project, or of the whole system. */
export const listEventsQuery = (database: Database, projectId: number | undefined, { limit, before }: Wanted) => {
  const events = database.read
    .selectFrom('event')
    .leftJoin('users', 'users.id', 'event.user_id')
    .leftJoin('project', 'project.id', 'event.project_id')
    .select([
      'event.id',
      'event.user_id',
      'event.project_id',
      'event.object_id',
      'event.object_type',
      'event.kind',
      'event.params',
      'event.created',
      'event.object_name',
    ])
    .select((eb) => [
      eb.fn.coalesce('project.name', eb.val('')).as('project_name'),
      eb.fn.coalesce('users.name', 'event.deleted_user').as('username'),
    ])
    .limit(limit);
  if (projectId !== undefined) return newestOf(database, events, 'event', { project_id: projectId }, before);
  return events.$if(before !== undefined, (qb) => qb.where('event.id', '<', before ?? 0)).orderBy('event.id', 'desc');
};

const listEvents = async (database: Database, projectId: number | undefined, wanted: Wanted): Promise<Event[]> =>
  (await listEventsQuery(database, projectId, wanted).execute()).map(({ kind, params, ...event }) => ({
    ...event,
    ...readEvent(kind, params),
  }));

/** The projects of a caller. Those of an admin are the ones to which the token is restricted. */
const projectsOf = async (db: StateReader, caller: Caller): Promise<number[]> => {
  if (isAdminOfProjects(caller)) return [...(caller.token?.projects ?? [])];
  const rows = await db.selectFrom('project_user').select('project_id').where('user_id', '=', caller.id).execute();
  return rows.map(({ project_id }) => project_id);
};

/**
 * Reads each project by its own index and merges the newest events. The cost depends on the page size, not on the
 * number of stored events.
 */
const listOwnEvents = async (database: Database, caller: Caller, wanted: Wanted): Promise<Event[]> => {
  if (caller.admin) return await listEvents(database, undefined, wanted);
  const projects = (await projectsOf(database.read, caller)).filter((id) => reaches(caller.token, id));
  const lists = await Promise.all(projects.map((id) => listEvents(database, id, wanted)));
  return lists
    .flat()
    .toSorted((a, b) => b.id - a.id)
    .slice(0, wanted.limit);
};

type EventRoutes = 'listEvents' | 'listLastEvents' | 'listAllEvents' | 'listLastAllEvents';

export const eventsRoutes = (database: Database): Pick<Handlers, EventRoutes> => ({
  listEvents: async (call) => {
    const { before } = call.query;
    const find = (limit: number) => listEvents(database, call.params.project_id, { limit, before });
    return sorted(await listPage(call, MAX_EVENTS, find), call.query, undefined);
  },
  listLastEvents: async (call) => {
    const find = (limit: number) => listEvents(database, call.params.project_id, { limit });
    return sorted(await listPage(call, LAST_EVENTS, find), call.query, undefined);
  },
  listAllEvents: async (call) => {
    const { before } = call.query;
    const find = (limit: number) => listOwnEvents(database, call.caller, { limit, before });
    return sorted(await listPage(call, MAX_EVENTS, find), call.query, undefined);
  },
  listLastAllEvents: async (call) => {
    const find = (limit: number) => listOwnEvents(database, call.caller, { limit });
    return sorted(await listPage(call, LAST_EVENTS, find), call.query, undefined);
  },
});
