import type { Event } from '@signalbox/contract';
import type { AccessOfMember } from '../../access/access.ts';
import { isOwner } from '../../access/memberships.ts';
import { readEvent } from '../../audit/read-event.ts';
import type { Database } from '../../database/database.ts';
import { newestOf } from '../../database/queries/newest-of.ts';
import type { Caller, Handlers } from '../../http/calls/call.ts';
import { callersProjects } from '../../http/calls/callers-projects.ts';
import { listPage } from '../../http/objects/list-page.ts';
import { sorted } from '../../http/objects/sorted.ts';
import { type EventViewer, visibleTo } from './visible-events.ts';

const LAST_EVENTS = 200;
const MAX_EVENTS = 1000;

interface Wanted {
  readonly limit: number;
  /** The member who reads them; undefined for one who may see all. */
  readonly viewer?: EventViewer | undefined;
  readonly before?: number | undefined;
}

/** Events, newest first: of one project, or of the whole system. */
export const listEventsQuery = (
  database: Database,
  projectId: number | undefined,
  { limit, before, viewer }: Wanted,
) => {
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
      'event.token_name',
    ])
    .select((eb) => [
      eb.fn.coalesce('project.name', eb.val('')).as('project_name'),
      eb.fn.coalesce('users.name', 'event.deleted_user').as('username'),
    ])
    .$if(viewer !== undefined, (query) => (viewer ? query.where(visibleTo(viewer)) : query))
    .limit(limit);
  if (projectId !== undefined) return newestOf(database, events, 'event', { project_id: projectId }, before);
  return events.$if(before !== undefined, (qb) => qb.where('event.id', '<', before ?? 0)).orderBy('event.id', 'desc');
};

const listEvents = async (database: Database, projectId: number | undefined, wanted: Wanted): Promise<Event[]> =>
  (await listEventsQuery(database, projectId, wanted).execute()).map(({ kind, params, ...event }) => ({
    ...event,
    ...readEvent(kind, params),
  }));

interface ProjectRights {
  readonly permissions: number;
  readonly access?: AccessOfMember | undefined;
}

const NONE: ReadonlySet<number> = new Set();

/** The viewer of the events of a project; undefined for owners and administrators, who see all. */
const viewerOf = ({ id }: Caller, { permissions, access }: ProjectRights): EventViewer | undefined =>
  isOwner(permissions)
    ? undefined
    : { userId: id, hidden: access?.hidden ?? NONE, hiddenViews: access?.hiddenViews ?? NONE };

/**
 * Reads each project by its own index and merges the newest events. The cost depends on the page size, not on the
 * number of stored events.
 */
const listOwnEvents = async (database: Database, caller: Caller, wanted: Wanted): Promise<Event[]> => {
  if (caller.admin) return await listEvents(database, undefined, wanted);
  const projects = [...((await callersProjects(database.read, caller)) ?? [])];
  const lists = await Promise.all(
    projects.map(([id, project]) => listEvents(database, id, { ...wanted, viewer: viewerOf(caller, project) })),
  );
  return lists
    .flat()
    .toSorted((a, b) => b.id - a.id)
    .slice(0, wanted.limit);
};

type EventRoutes = 'listEvents' | 'listLastEvents' | 'listAllEvents' | 'listLastAllEvents';

export const eventsRoutes = (database: Database): Pick<Handlers, EventRoutes> => ({
  listEvents: async (call) => {
    const { before } = call.query;
    const viewer = viewerOf(call.caller, call.membership);
    const find = (limit: number) => listEvents(database, call.params.project_id, { limit, before, viewer });
    return sorted(await listPage(call, MAX_EVENTS, find), call.query, undefined);
  },
  listLastEvents: async (call) => {
    const viewer = viewerOf(call.caller, call.membership);
    const find = (limit: number) => listEvents(database, call.params.project_id, { limit, viewer });
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
