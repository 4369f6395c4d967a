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
export type ScheduleInput = z.output<typeof NewSchedule>;

/** The time zone of a schedule: that of its cron, or else that of the server. */
export const zoneOf = ({ cron_format }: Pick<ScheduleRow, 'cron_format'>, serverZone: string): string =>
  namesZone(cron_format) ? parseCron(cron_format, serverZone).timezone : serverZone;

/** Number of due times that the console shows. */
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

/** The label of a schedule: its name, or its cron if it has none. */
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

/** Records what the system did for a schedule, or why it did nothing. */
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
  input: ScheduleInput,
  timezone: string,
  actor: Actor,
  now: Date,
): Promise<ScheduleRow> => {
  const row = await tx
    .insertInto('schedule')
    .values({
      project_id: projectId,
      template_id: input.template_id,
      repository_id: input.repository_id,
      name: input.name,
      cron_format: input.cron_format,
      timezone: zoneOf(input, timezone),
      active: input.active ? 1 : 0,
      next_due: input.active ? dueFrom(parseCron(input.cron_format, timezone), now, null) : null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await recordCreated(tx, 'schedule', { ...row, name: labelOf(row) }, actor, now);
  return row;
};

/** Returns a schedule in the form of a request that would create it. */
export const inputOf = (row: ScheduleRow): ScheduleInput => ({
  template_id: row.template_id,
  cron_format: row.cron_format,
  repository_id: row.repository_id,
  name: row.name,
  active: row.active === 1,
});

/** The columns for a change. Only resuming a schedule or changing its cron computes a new due time. */
export const changedColumns = (row: ScheduleRow, input: ScheduleInput, timezone: string, now: Date) => {
  const isDueChanged = row.active === 0 || input.cron_format !== row.cron_format;
  const nextDue = isDueChanged ? dueFrom(parseCron(input.cron_format, timezone), now, row.last_due) : row.next_due;
  return {
    ...input,
    active: input.active ? (1 as const) : (0 as const),
    next_due: input.active ? nextDue : null,
    timezone: isDueChanged ? zoneOf(input, timezone) : row.timezone,
    // The stored commit belongs to the previous repository.
    seen_commit: input.repository_id === row.repository_id ? row.seen_commit : null,
  };
};

/** The event of a change. Pausing and resuming have events of their own. */
export const changeEvent = (before: ScheduleRow, after: ScheduleRow, params: ChangeParams): ChangeEvent => {
  const turned = before.active === after.active ? undefined : after.active === 1 ? 'resumed' : 'paused';
  const isOther = (['template_id', 'cron_format', 'repository_id', 'name'] as const).some(
    (name) => before[name] !== after[name],
  );
  if (turned === undefined) return { kind: 'schedule.changed', params };
  if (isOther) return { kind: `schedule.changed_and_${turned}`, params };
  return { kind: `schedule.${turned}`, params: { name: params.name } };
};
