import type { Event } from '@signalbox/contract';
import { expressionBuilder } from 'kysely';
import { readEvent } from '../../audit/read-event.ts';
import type { Database } from '../../database/database.ts';
import { newestOf } from '../../database/queries/newest-of.ts';
import type { StateSchema } from '../../database/schema.ts';
import { type Caller, type Handlers, hiddenFrom } from '../../http/calls/call.ts';
import { callersProjects } from '../../http/calls/callers-projects.ts';
import { listPage } from '../../http/objects/list-page.ts';
import { sorted } from '../../http/objects/sorted.ts';

const LAST_EVENTS = 200;
const MAX_EVENTS = 1000;

interface Wanted {
  readonly limit: number;
  /** Without the events of these templates. */
  readonly hidden?: ReadonlySet<number> | undefined;
  readonly before?: number | undefined;
}

/** Kinds of objects that belong to a template or may do so, named like their tables. */
const OF_TEMPLATES = ['task', 'schedule', 'webhook', 'saved_launch', 'freeze_window'] as const;

/**
 * Whether an event is about a hidden template. Events of deleted tasks, schedules and webhooks count too, because it is
 * not known to which template they belonged.
 */
const aboutHidden = (hidden: ReadonlySet<number>) => {
  const eb = expressionBuilder<StateSchema, 'event'>();
  const visible = (table: (typeof OF_TEMPLATES)[number]) =>
    eb
      .selectFrom(`${table} as owned` as 'task as owned')
      .select('owned.id')
      .whereRef('owned.id', '=', 'event.object_id')
      .where((is) => is.or([is('owned.template_id', 'not in', [...hidden]), is('owned.template_id', 'is', null)]));
  return eb.or([
    eb.and([eb('event.object_type', '=', 'template'), eb('event.object_id', 'in', [...hidden])]),
    ...OF_TEMPLATES.map((table) => eb.and([eb('event.object_type', '=', table), eb.not(eb.exists(visible(table)))])),
  ]);
};

/** Events, newest first: of one project, or of the whole system. */
export const listEventsQuery = (
  database: Database,
  projectId: number | undefined,
  { limit, before, hidden }: Wanted,
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
    ])
    .select((eb) => [
      eb.fn.coalesce('project.name', eb.val('')).as('project_name'),
      eb.fn.coalesce('users.name', 'event.deleted_user').as('username'),
    ])
    .$if((hidden?.size ?? 0) > 0, (query) => query.where((eb) => eb.not(aboutHidden(hidden ?? new Set()))))
    .limit(limit);
  if (projectId !== undefined) return newestOf(database, events, 'event', { project_id: projectId }, before);
  return events.$if(before !== undefined, (qb) => qb.where('event.id', '<', before ?? 0)).orderBy('event.id', 'desc');
};

const listEvents = async (database: Database, projectId: number | undefined, wanted: Wanted): Promise<Event[]> =>
  (await listEventsQuery(database, projectId, wanted).execute()).map(({ kind, params, ...event }) => ({
    ...event,
    ...readEvent(kind, params),
  }));

/**
 * Reads each project by its own index and merges the newest events. The cost depends on the page size, not on the
 * number of stored events.
 */
const listOwnEvents = async (database: Database, caller: Caller, wanted: Wanted): Promise<Event[]> => {
  if (caller.admin) return await listEvents(database, undefined, wanted);
  const projects = [...((await callersProjects(database.read, caller)) ?? [])];
  const lists = await Promise.all(projects.map(([id, { hidden }]) => listEvents(database, id, { ...wanted, hidden })));
  return lists
    .flat()
    .toSorted((a, b) => b.id - a.id)
    .slice(0, wanted.limit);
};

type EventRoutes = 'listEvents' | 'listLastEvents' | 'listAllEvents' | 'listLastAllEvents';

export const eventsRoutes = (database: Database): Pick<Handlers, EventRoutes> => ({
  listEvents: async (call) => {
    const { before } = call.query;
    const hidden = hiddenFrom(call.membership);
    const find = (limit: number) => listEvents(database, call.params.project_id, { limit, before, hidden });
    return sorted(await listPage(call, MAX_EVENTS, find), call.query, undefined);
  },
  listLastEvents: async (call) => {
    const hidden = hiddenFrom(call.membership);
    const find = (limit: number) => listEvents(database, call.params.project_id, { limit, hidden });
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
