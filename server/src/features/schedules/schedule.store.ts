import type { NewSchedule, Schedule } from '@signalbox/contract';
import type { Selectable } from 'kysely';
import type { z } from 'zod';
import { type Actor, recordEvent } from '../../audit/record-event.ts';
import type { State, StateTransaction } from '../../database/database.ts';
import type { ScheduleTable } from '../../database/schema.ts';
import { type Cron, parseCron } from './cron.ts';
import { firstDue, shownTimes } from './due-decision.ts';

export type ScheduleRow = Selectable<ScheduleTable>;
export type ScheduleFacts = z.output<typeof NewSchedule>;

/** How many due times people are shown. */
const SHOWN = 5;

export const presentSchedule = (row: ScheduleRow, timezone: string, now: Date): Schedule => ({
  id: row.id,
  project_id: row.project_id,
  template_id: row.template_id,
  cron_format: row.cron_format,
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

const templateName = async (db: State, templateId: number): Promise<string> =>
  (await db.selectFrom('template').select('name').where('id', '=', templateId).executeTakeFirstOrThrow()).name;

/** Writes what happened to a schedule: `what` ends the sentence that names it. */
export const recordScheduleEvent = async (
  tx: StateTransaction,
  row: ScheduleRow,
  what: string,
  actor: Actor,
  at: Date,
): Promise<void> =>
  recordEvent(tx, {
    actor,
    projectId: row.project_id,
    objectType: 'schedule',
    objectId: row.id,
    objectName: labelOf(row),
    description: `Schedule ${labelOf(row)} of ${await templateName(tx, row.template_id)} ${what}`,
    at,
  });

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
      timezone,
      active: facts.active ? 1 : 0,
      next_due: facts.active ? dueFrom(parseCron(facts.cron_format, timezone), now, null) : null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await recordScheduleEvent(tx, row, 'created', actor, now);
  return row;
};
