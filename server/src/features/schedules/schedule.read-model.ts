import type { Schedule } from '@signalbox/contract';
import { readEvent } from '../../audit/read-event.ts';
import { shownTimes } from './due-decision.ts';
import { inputOf, type ScheduleRow, startOf } from './schedule.store.ts';
import { storedValues } from './schedule-answers.ts';
import { timingOf, typeOf, zoneOf } from './timing.ts';

/** Number of due times that the console shows. */
const SHOWN = 5;

const problemOf = ({ problem_kind, problem_params, problem_time }: ScheduleRow): Schedule['problem'] =>
  problem_kind === null || problem_time === null
    ? null
    : { time: problem_time, ...readEvent(problem_kind, problem_params ?? '{}') };

/**
 * @param secretAnswers names of the stored secret answers
 * @param timezone that of the server
 */
export const presentSchedule = (
  row: ScheduleRow,
  secretAnswers: readonly string[],
  timezone: string,
  now: Date,
): Schedule => {
  const next = row.active === 0 ? null : row.next_due;
  return {
    id: row.id,
    project_id: row.project_id,
    ...inputOf(row),
    type: typeOf(row),
    timezone: zoneOf(row, timezone),
    launch_values: storedValues(row),
    secret_answers: [...secretAnswers],
    next_times:
      next === null
        ? []
        : shownTimes(timingOf(row, timezone), new Date(next), now, SHOWN).map((due) => due.toISOString()),
    next_start: next === null ? null : startOf(next, row).toISOString(),
    last_fired: row.last_fired,
    problem: problemOf(row),
  };
};
