import type { Schedule } from '@signalbox/contract';

/** Whether an active schedule will start no task, because its template requires an answer that it does not have. */
export const isUnanswered = ({ active, missing_answers }: Pick<Schedule, 'active' | 'missing_answers'>): boolean =>
  active && missing_answers.length > 0;
