import type { Event } from '@signalbox/contract';
import type { Database } from '../../database/database.ts';
import { newestOf } from '../../database/newest-of.ts';
import type { Caller, Handlers } from '../../http/call.ts';
import { sorted } from '../../http/sorted.ts';

const LAST_EVENTS = 200;
const MOST_EVENTS = 1000;

interface Wanted {
  readonly limit: number;
  readonly before?: number | undefined;
}

/** Events, newest first: those of one project, or those of the whole system where none is named. */
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
      'event.description',
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

const listEvents = (database: Database, projectId: number | undefined, wanted: Wanted): Promise<Event[]> =>
  listEventsQuery(database, projectId, wanted).execute();

/** Each project by its own index, then the newest of all: the cost follows the page, not how much is stored. */
const listOwnEvents = async (database: Database, caller: Caller, wanted: Wanted): Promise<Event[]> => {
  if (caller.admin) return await listEvents(database, undefined, wanted);
  const projects = await database.read
    .selectFrom('project_user')
    .select('project_id')
    .where('user_id', '=', caller.id)
    .execute();
  const lists = await Promise.all(projects.map(({ project_id }) => listEvents(database, project_id, wanted)));
  return lists
    .flat()
    .toSorted((a, b) => b.id - a.id)
    .slice(0, wanted.limit);
};

type EventRoutes = 'listEvents' | 'listLastEvents' | 'listAllEvents' | 'listLastAllEvents';

export const eventsRoutes = (database: Database): Pick<Handlers, EventRoutes> => ({
  listEvents: async ({ params, query }) => {
    const wanted = { limit: query.limit ?? MOST_EVENTS, before: query.before };
    return sorted(await listEvents(database, params.project_id, wanted), query, undefined);
  },
  listLastEvents: async ({ params, query }) =>
    sorted(await listEvents(database, params.project_id, { limit: LAST_EVENTS }), query, undefined),
  listAllEvents: async ({ caller, query }) => {
    const wanted = { limit: query.limit ?? MOST_EVENTS, before: query.before };
    return sorted(await listOwnEvents(database, caller, wanted), query, undefined);
  },
  listLastAllEvents: async ({ caller, query }) =>
    sorted(await listOwnEvents(database, caller, { limit: LAST_EVENTS }), query, undefined),
});
