import type { LaunchValues, Schedule, SurveyVariable } from '@signalbox/contract';
import { readEvent } from '../../audit/read-event.ts';
import { missingAnswers } from '../../stored-answers/survey.ts';
import { shownTimes } from './due-plan.ts';
import { inputOf, type ScheduleRow, startOf } from './schedule.store.ts';
import type { FreezeFinder } from './schedule-freezes.ts';
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
  /** The survey of the template. */
  readonly survey: readonly SurveyVariable[];
  readonly findFreeze: FreezeFinder;
  /** The time zone of the server. */
  readonly timezone: string;
  readonly now: Date;
}

/** The moment for which windows are searched: when the next task starts, or now for a run that is held. */
const startToCheck = (row: ScheduleRow, now: Date): Date | undefined => {
  if (row.held_due !== null) return now;
  return row.active === 0 || row.next_due === null ? undefined : startOf(row.next_due, row);
};

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
  { secretAnswers, values, survey, findFreeze, timezone, now }: Presentation,
): Schedule => {
  const next = row.active === 0 ? null : row.next_due;
  const times = next === null ? [] : shownTimes(timingOf(row, timezone), new Date(next), now, SHOWN);
  const start = startToCheck(row, now);
  const freeze = start ? findFreeze(start) : null;
  return {
    id: row.id,
    project_id: row.project_id,
    ...inputOf(row),
    type: typeOf(row),
    timezone: zoneOf(row, timezone),
    launch_values: values,
    secret_answers: [...secretAnswers],
    missing_answers: missingAnswers(survey, values.environment, secretAnswers),
    next_times: times.map((due) => due.toISOString()),
    next_freezes: times.map((due) => findFreeze(startOf(due.toISOString(), row))),
    next_start: nextStart(row, freeze),
    freeze,
    last_fired: row.last_fired,
    problem: problemOf(row),
  };
};
