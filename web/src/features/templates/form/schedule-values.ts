import type { BodyInput, RouteTable, Schedule } from '@signalbox/contract';

/** Values of the template's schedule in the form. */
export type ScheduleValues = { cron_format: string; repository_id: string | null; name: string; active: boolean };

export const newScheduleValues = (schedules: readonly Schedule[]): ScheduleValues => {
  const [one] = schedules.length === 1 ? schedules : [];
  return {
    cron_format: one?.cron_format ?? '',
    repository_id: one?.repository_id ? String(one.repository_id) : null,
    name: one?.name ?? '',
    active: one?.active ?? true,
  };
};

/** Whether the one cron field of the form can show the schedules: there is none, or one with a cron. */
export const hasSimpleSchedule = (schedules: readonly Schedule[]): boolean =>
  schedules.length === 0 || (schedules.length === 1 && schedules[0]?.type === 'cron');

/** What saving a template does to its schedule. */
export type ScheduleStep =
  | { readonly step: 'none' }
  | { readonly step: 'create' }
  | { readonly step: 'update'; readonly id: number }
  | { readonly step: 'delete'; readonly id: number };

/**
 * A cron creates a schedule if there is none and changes it if there is exactly one; an empty cron deletes it. Several
 * schedules, and one without a cron, stay unchanged, because the form has one field only.
 */
export const scheduleStep = (schedules: readonly Schedule[], cron: string): ScheduleStep => {
  const wanted = cron.trim() !== '';
  const [one, ...others] = schedules;
  if (others.length > 0 || !hasSimpleSchedule(schedules)) return { step: 'none' };
  if (one === undefined) return { step: wanted ? 'create' : 'none' };
  return wanted ? { step: 'update', id: one.id } : { step: 'delete', id: one.id };
};

export const scheduleBody = (values: ScheduleValues, template_id: number): BodyInput<RouteTable['createSchedule']> => ({
  template_id,
  cron_format: values.cron_format.trim(),
  repository_id: values.repository_id === null ? null : Number(values.repository_id),
  name: values.name.trim(),
  active: values.active,
});
