import type { Project } from '@signalbox/contract';

/** How long a project keeps tasks and logs, as texts. Empty means the setting of the system. */
export interface RetentionFields {
  keep_tasks_days: string;
  keep_logs_days: string;
  keep_tasks_min: string;
}

type Stored = Pick<Project, keyof RetentionFields>;

const text = (value: number | null): string => (value === null ? '' : String(value));
const number = (value: string): number | null => (value.trim() === '' ? null : Number(value));

export const retentionFields = (project: Stored): RetentionFields => ({
  keep_tasks_days: text(project.keep_tasks_days),
  keep_logs_days: text(project.keep_logs_days),
  keep_tasks_min: text(project.keep_tasks_min),
});

export const retentionBody = (fields: RetentionFields): Stored => ({
  keep_tasks_days: number(fields.keep_tasks_days),
  keep_logs_days: number(fields.keep_logs_days),
  keep_tasks_min: number(fields.keep_tasks_min),
});

const DAYS = { least: 0, most: 36_500, error: 'settings.keepDaysRange' };
const TASKS = { least: 1, most: 10_000, error: 'settings.keepTasksRange' };

/** Catalogue key of the error of a number; undefined for a valid one or an empty text. */
const problem = (value: string, { least, most, error }: typeof DAYS): string | undefined => {
  if (value.trim() === '') return undefined;
  if (!/^\d+$/.test(value.trim())) return 'form.wholeNumber';
  return Number(value) < least || Number(value) > most ? error : undefined;
};

type Checks = { readonly [Field in keyof RetentionFields]: (value: string) => string | null };

/** @param translate returns the text of a problem, or null without one */
export const retentionChecks = (translate: (key: string | undefined) => string | null): Checks => ({
  keep_tasks_days: (value: string) => translate(problem(value, DAYS)),
  keep_logs_days: (value: string) => translate(problem(value, DAYS)),
  keep_tasks_min: (value: string) => translate(problem(value, TASKS)),
});

export const isValidRetention = (fields: RetentionFields): boolean =>
  Object.entries(retentionChecks((key) => key ?? null)).every(
    ([name, check]) => check(fields[name as keyof RetentionFields]) === null,
  );
