import type { EventKind, EventMessage, EventParams, NewSchedule, Schedule } from '@signalbox/contract';
import type { Selectable } from 'kysely';
import type { z } from 'zod';
import { type ChangeEvent, type ChangeParams, recordCreated } from '../../audit/object-event.ts';
import { type Actor, recordEvent, SYSTEM } from '../../audit/record-event.ts';
import type { StateReader, StateTransaction } from '../../database/database.ts';
import type { ScheduleTable } from '../../database/schema.ts';
import { type Cron, namesZone, parseCron } from './cron.ts';
import { firstDue, shownTimes } from './due-decision.ts';

export type ScheduleRow = Selectable<ScheduleTable>;
export type ScheduleFacts = z.output<typeof NewSchedule>;

/** The time zone of a schedule: that of its cron, or else that of the server. */
export const zoneOf = ({ cron_format }: Pick<ScheduleRow, 'cron_format'>, serverZone: string): string =>
  namesZone(cron_format) ? parseCron(cron_format, serverZone).timezone : serverZone;

/** How many due times people are shown. */
const SHOWN = 5;

export const presentSchedule = (row: ScheduleRow, timezone: string, now: Date): Schedule => ({
  id: row.id,
  project_id: row.project_id,
  template_id: row.template_id,
  cron_format: row.cron_format,
  timezone: zoneOf(row, timezone),
  repository_id: row.repository_id,
  name: row.name,
  active: row.active === 1,
  next_times:
    row.active === 0 || row.next_due === null
      ? []
      : shownTimes(parseCron(row.cron_format, timezone), new Date(row.next_due), now, SHOWN).map((due) =>
          due.toISOString(),
        ),
  last_fired: row.last_fired,
});

/** What people call a schedule: a name is optional, a cron is not. */
export const labelOf = (row: Pick<ScheduleRow, 'name' | 'cron_format'>): string => row.name || row.cron_format;

const templateName = async (db: StateReader, templateId: number): Promise<string> =>
  (await db.selectFrom('template').select('name').where('id', '=', templateId).executeTakeFirstOrThrow()).name;

type NamedByRow = 'name' | 'template';
/** An event of a schedule without the names of schedule and template. */
export type ScheduleEvent = {
  [Kind in EventKind & `schedule.${string}`]: NamedByRow extends keyof EventParams<Kind>
    ? { readonly kind: Kind; readonly params: Omit<EventParams<Kind>, NamedByRow> }
    : never;
}[EventKind & `schedule.${string}`];

/** Records what the system did, or did not do, for a schedule. */
export const recordScheduleEvent = async (
  tx: StateTransaction,
  row: ScheduleRow,
  { kind, params }: ScheduleEvent,
  at: Date,
): Promise<void> => {
  const names = { name: labelOf(row), template: await templateName(tx, row.template_id) };
  await recordEvent(tx, {
    ...({ kind, params: { ...names, ...params } } as EventMessage),
    actor: SYSTEM,
    projectId: row.project_id,
    objectType: 'schedule',
    objectId: row.id,
    objectName: labelOf(row),
    at,
  });
};

export const dueFrom = (cron: Cron, now: Date, lastDue: string | null): string | null =>
  firstDue(cron, now, lastDue === null ? null : new Date(lastDue))?.toISOString() ?? null;

export const insertSchedule = async (
  tx: StateTransaction,
  projectId: number,
  facts: ScheduleFacts,
  timezone: string,
  actor: Actor,
  now: Date,
): Promise<ScheduleRow> => {
  const row = await tx
    .insertInto('schedule')
    .values({
      project_id: projectId,
      template_id: facts.template_id,
      repository_id: facts.repository_id,
      name: facts.name,
      cron_format: facts.cron_format,
      timezone: zoneOf(facts, timezone),
      active: facts.active ? 1 : 0,
      next_due: facts.active ? dueFrom(parseCron(facts.cron_format, timezone), now, null) : null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await recordCreated(tx, 'schedule', { ...row, name: labelOf(row) }, actor, now);
  return row;
};

/** A schedule in the form in which it would be made anew. */
export const factsOf = (row: ScheduleRow): ScheduleFacts => ({
  template_id: row.template_id,
  cron_format: row.cron_format,
  repository_id: row.repository_id,
  name: row.name,
  active: row.active === 1,
});

/** The columns of a schedule that was changed: only resuming it and another cron move its next due time. */
export const changedColumns = (row: ScheduleRow, facts: ScheduleFacts, timezone: string, now: Date) => {
  const isDueAnew = row.active === 0 || facts.cron_format !== row.cron_format;
  const nextDue = isDueAnew ? dueFrom(parseCron(facts.cron_format, timezone), now, row.last_due) : row.next_due;
  return {
    ...facts,
    active: facts.active ? (1 as const) : (0 as const),
    next_due: facts.active ? nextDue : null,
    timezone: isDueAnew ? zoneOf(facts, timezone) : row.timezone,
    // What was seen of another repository says nothing of this one.
    seen_commit: facts.repository_id === row.repository_id ? row.seen_commit : null,
  };
};

/** What a change did: pausing and resuming are what people look for in the activity. */
export const changeEvent = (before: ScheduleRow, after: ScheduleRow, params: ChangeParams): ChangeEvent => {
  const turned = before.active === after.active ? undefined : after.active === 1 ? 'resumed' : 'paused';
  const isOther = (['template_id', 'cron_format', 'repository_id', 'name'] as const).some(
    (name) => before[name] !== after[name],
  );
  if (turned === undefined) return { kind: 'schedule.changed', params };
  if (isOther) return { kind: `schedule.changed_and_${turned}`, params };
  return { kind: `schedule.${turned}`, params: { name: params.name } };
};
