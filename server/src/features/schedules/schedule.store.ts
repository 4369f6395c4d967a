import { randomInt } from 'node:crypto';
import type { Selectable } from 'kysely';
import { type ChangeEvent, type ChangeParams, recordCreated } from '../../audit/object-event.ts';
import type { Actor } from '../../audit/record-event.ts';
import type { StateTransaction } from '../../database/database.ts';
import type { ScheduleTable } from '../../database/schedule.schema.ts';
import type { DueTimes } from '../../due-times/due-times.ts';
import { storedValues } from '../../stored-answers/stored-values.ts';
import { firstDue } from './due-plan.ts';
import type { ScheduleInput } from './schedule-input.ts';
import { timingOf, zoneOf } from './timing.ts';

export type ScheduleRow = Selectable<ScheduleTable>;

/** A duration such as 1h30m, as crons write it. */
const duration = (seconds: number): string => {
  const parts = [
    [Math.floor(seconds / 3600), 'h'],
    [Math.floor(seconds / 60) % 60, 'm'],
    [seconds % 60, 's'],
  ] as const;
  return parts.flatMap(([n, unit]) => (n === 0 ? [] : [`${n}${unit}`])).join('');
};

/** The label of a schedule: its name, or its due times if it has none. */
export const labelOf = ({
  name,
  cron_format,
  interval_seconds,
  run_at,
}: Pick<ScheduleRow, 'name' | 'cron_format' | 'interval_seconds' | 'run_at'>): string => {
  if (name !== '' || cron_format !== '') return name || cron_format;
  return interval_seconds === null ? (run_at ?? '') : `@every ${duration(interval_seconds)}`;
};

export const dueFrom = (timing: DueTimes, now: Date, lastDue: string | null): string | null =>
  firstDue(timing, now, lastDue === null ? null : new Date(lastDue))?.toISOString() ?? null;

/** The columns of a new due time, with its random delay. Every server reads the same delay. */
export const dueColumns = (next: string | null, { jitter_seconds }: Pick<ScheduleRow, 'jitter_seconds'>) => ({
  next_due: next,
  delay_seconds: next === null || jitter_seconds === 0 ? 0 : randomInt(jitter_seconds + 1),
});

/** When a due time starts its task. */
export const startOf = (due: string, { delay_seconds }: Pick<ScheduleRow, 'delay_seconds'>): Date =>
  new Date(Date.parse(due) + delay_seconds * 1000);

/** The values of a schedule, with those that its tasks are started with as JSON. */
export type StoredInput = Omit<ScheduleInput, 'launch_values'> & Pick<ScheduleRow, 'launch_values' | 'extra_variables'>;

/** The columns that users set. */
const inputColumns = (input: StoredInput) => ({
  template_id: input.template_id,
  repository_id: input.repository_id,
  name: input.name,
  cron_format: input.cron_format,
  run_at: input.run_at,
  interval_seconds: input.interval_seconds,
  own_timezone: input.own_timezone,
  starts_at: input.starts_at,
  ends_at: input.ends_at,
  overlap: input.overlap,
  jitter_seconds: input.jitter_seconds,
  launch_values: input.launch_values,
  extra_variables: input.extra_variables,
  saved_launch_id: input.saved_launch_id,
  active: input.active ? (1 as const) : (0 as const),
});

export const insertSchedule = async (
  tx: StateTransaction,
  projectId: number,
  input: StoredInput,
  timezone: string,
  actor: Actor,
  now: Date,
): Promise<ScheduleRow> => {
  const next = input.active ? dueFrom(timingOf(input, timezone), now, null) : null;
  const row = await tx
    .insertInto('schedule')
    .values({
      project_id: projectId,
      ...inputColumns(input),
      timezone: zoneOf(input, timezone),
      ...dueColumns(next, input),
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
  run_at: row.run_at,
  interval_seconds: row.interval_seconds,
  own_timezone: row.own_timezone,
  starts_at: row.starts_at,
  ends_at: row.ends_at,
  overlap: row.overlap,
  jitter_seconds: row.jitter_seconds,
  launch_values: storedValues(row),
  saved_launch_id: row.saved_launch_id,
  repository_id: row.repository_id,
  name: row.name,
  active: row.active === 1,
});

const TIMING = ['cron_format', 'run_at', 'interval_seconds', 'own_timezone', 'starts_at', 'ends_at'] as const;

/** Whether a change gives a schedule other due times. */
export const hasOtherTimes = (row: ScheduleRow, input: Pick<ScheduleInput, (typeof TIMING)[number]>): boolean =>
  TIMING.some((name) => row[name] !== input[name]);

/** The columns for a change. Only resuming a schedule or changing its due times computes a new due time. */
export const changedColumns = (row: ScheduleRow, input: StoredInput, timezone: string, now: Date) => {
  const isDueChanged = row.active === 0 || hasOtherTimes(row, input);
  const nextDue = isDueChanged ? dueFrom(timingOf(input, timezone), now, row.last_due) : row.next_due;
  const isDelayKept = !isDueChanged && input.active && input.jitter_seconds === row.jitter_seconds;
  return {
    ...inputColumns(input),
    ...(isDelayKept ? {} : dueColumns(input.active ? nextDue : null, input)),
    timezone: isDueChanged ? zoneOf(input, timezone) : row.timezone,
    // A held run belongs to the previous due times.
    ...(input.active && !isDueChanged ? {} : { held_due: null, held_until: null }),
    // The stored commit belongs to the previous repository.
    seen_commit: input.repository_id === row.repository_id ? row.seen_commit : null,
    revision: row.revision + 1,
  };
};

/** The event of a change. Pausing and resuming have events of their own. */
export const changeEvent = (before: ScheduleRow, after: ScheduleRow, params: ChangeParams): ChangeEvent => {
  const turned = before.active === after.active ? undefined : after.active === 1 ? 'resumed' : 'paused';
  const { launch_values, extra_variables } = before;
  const { active: _, ...others } = inputColumns({ ...inputOf(before), launch_values, extra_variables });
  const isOther = Object.keys(others).some(
    (name) => before[name as keyof typeof others] !== after[name as keyof typeof others],
  );
  if (turned === undefined) return { kind: 'schedule.changed', params };
  if (isOther) return { kind: `schedule.changed_and_${turned}`, params };
  return { kind: `schedule.${turned}`, params: { name: params.name } };
};
