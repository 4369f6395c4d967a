import { type Expression, expressionBuilder, type SqlBool } from 'kysely';
import { OBJECTS_OF_TEMPLATES, type ObjectOfTemplate } from '../../database/queries/objects-of-templates.ts';
import { isOwned, ownOrShared } from '../../database/queries/own-or-shared.ts';
import type { StateSchema } from '../../database/schema.ts';

/** A member who is no owner, as far as the visibility of events depends on it. */
export interface EventViewer {
  readonly userId: number;
  /** Ids of the templates and views that the member must not see. */
  readonly hidden: ReadonlySet<number>;
  readonly hiddenViews: ReadonlySet<number>;
}

/** Whether the object of an event exists and the viewer may see it, for each kind of object that can be hidden. */
const visibleObjects = ({ userId, hidden, hiddenViews }: EventViewer) => {
  const eb = expressionBuilder<StateSchema, 'event'>();
  const templates = [0, ...hidden];
  const objectOf = (type: string, exists: Expression<unknown>) =>
    [type, eb.and([eb('event.object_type', '=', type), eb.exists(exists)])] as const;
  const ofTemplate = (table: ObjectOfTemplate) =>
    eb
      .selectFrom(`${table} as owned` as 'task as owned')
      .select('owned.id')
      .whereRef('owned.id', '=', 'event.object_id')
      .where((is) => is.or([is('owned.template_id', 'not in', templates), is('owned.template_id', 'is', null)]));
  const template = eb
    .selectFrom('template as owned')
    .select('owned.id')
    .whereRef('owned.id', '=', 'event.object_id')
    .where('owned.id', 'not in', templates);
  const view = eb
    .selectFrom('view as owned')
    .select('owned.id')
    .whereRef('owned.id', '=', 'event.object_id')
    .where('owned.id', 'not in', [0, ...hiddenViews]);
  const failure = eb
    .selectFrom('failure_template as owned')
    .select('owned.failure_id')
    .whereRef('owned.failure_id', '=', 'event.object_id')
    .where('owned.template_id', 'not in', templates);
  return new Map<string, Expression<SqlBool>>([
    ...OBJECTS_OF_TEMPLATES.map((table) =>
      objectOf(table, isOwned(table) ? ofTemplate(table).where(ownOrShared('owned', userId)) : ofTemplate(table)),
    ),
    objectOf('template', template),
    objectOf('view', view),
    objectOf('failure', failure),
  ]);
};

/**
 * The events that a member may see: those that are not restricted, and those whose object the member may see. Events
 * that were stored before events were marked as restricted are checked by their object.
 */
export const visibleTo = (viewer: EventViewer): Expression<SqlBool> => {
  const eb = expressionBuilder<StateSchema, 'event'>();
  const objects = visibleObjects(viewer);
  const seen = eb.or([...objects.values()]);
  if (viewer.hidden.size === 0 && viewer.hiddenViews.size === 0) return eb.or([eb('event.restricted', '=', 0), seen]);
  const others = eb.and([
    eb('event.restricted', '=', 0),
    eb('event.object_type', 'not in', [...objects.keys(), 'grant']),
  ]);
  // An unrestricted template or view that was deleted was open to every member.
  const deleted = eb.and([
    eb('event.restricted', '=', 0),
    eb('event.object_type', 'in', ['template', 'view']),
    eb.or([
      eb('event.object_id', 'is', null),
      eb('event.object_id', 'not in', [0, ...viewer.hidden, ...viewer.hiddenViews]),
    ]),
  ]);
  return eb.or([others, deleted, seen]);
};
