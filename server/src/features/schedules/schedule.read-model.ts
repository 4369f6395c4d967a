import type { LaunchValues, Schedule } from '@signalbox/contract';
import { readEvent } from '../../audit/read-event.ts';
import { shownTimes } from './due-plan.ts';
import { inputOf, type ScheduleRow, startOf } from './schedule.store.ts';
import { timingOf, typeOf, zoneOf } from './timing.ts';

/** Number of due times that the console shows. */
const SHOWN = 5;

const problemOf = ({ problem_kind, problem_params, problem_time }: ScheduleRow): Schedule['problem'] =>
  problem_kind === null || problem_time === null
    ? null
    : { time: problem_time, ...readEvent(problem_kind, problem_params ?? '{}') };

interface Presentation {
  /** Names of the stored secret answers. */
  readonly secretAnswers: readonly string[];
  readonly values: LaunchValues;
  readonly freeze: Schedule['freeze'];
  /** The time zone of the server. */
  readonly timezone: string;
  readonly now: Date;
}

/** When the next task of a schedule starts. A freeze window delays the next due time. */
const nextStart = (
  { active, next_due, held_until, ...row }: ScheduleRow,
  freeze: Schedule['freeze'],
): string | null => {
  if (freeze?.held) return freeze.until;
  if (held_until !== null) return held_until;
  return active === 0 || next_due === null ? null : startOf(next_due, row).toISOString();
};

export const presentSchedule = (
  row: ScheduleRow,
  { secretAnswers, values, freeze, timezone, now }: Presentation,
): Schedule => {
  const next = row.active === 0 ? null : row.next_due;
  return {
    id: row.id,
    project_id: row.project_id,
    ...inputOf(row),
    type: typeOf(row),
    timezone: zoneOf(row, timezone),
    launch_values: values,
    secret_answers: [...secretAnswers],
    next_times:
      next === null
        ? []
        : shownTimes(timingOf(row, timezone), new Date(next), now, SHOWN).map((due) => due.toISOString()),
    next_start: nextStart(row, freeze),
    freeze,
    last_fired: row.last_fired,
    problem: problemOf(row),
  };
};
