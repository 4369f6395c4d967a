import type { Event } from '@signalbox/contract';
import type { Database } from '../../database/database.ts';
import { newestOf } from '../../database/newest-of.ts';
import type { Handlers } from '../../http/call.ts';

const LAST_EVENTS = 200;
const MOST_EVENTS = 1000;

export const listEventsQuery = (database: Database, projectId: number, limit: number, before?: number) => {
  const events = database.read
    .selectFrom('event')
    .leftJoin('users', 'users.id', 'event.user_id')
    .innerJoin('project', 'project.id', 'event.project_id')
    .select([
      'event.id',
      'event.user_id',
      'event.project_id',
      'event.object_id',
      'event.object_type',
      'event.description',
      'event.created',
      'event.object_name',
      'project.name as project_name',
    ])
    .select((eb) => eb.fn.coalesce('users.name', eb.val('')).as('username'));
  return newestOf(database, events, 'event', { project_id: projectId }, before).limit(limit);
};

const listEvents = (database: Database, projectId: number, limit: number, before?: number): Promise<Event[]> =>
  listEventsQuery(database, projectId, limit, before).execute();

export const eventsRoutes = (database: Database): Pick<Handlers, 'listEvents' | 'listLastEvents'> => ({
  listEvents: ({ params, query }) => listEvents(database, params.project_id, query.limit ?? MOST_EVENTS, query.before),
  listLastEvents: ({ params }) => listEvents(database, params.project_id, LAST_EVENTS),
});
