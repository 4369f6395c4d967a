import type { BodyInput, LaunchValues, Overlap, RouteTable, Schedule, ScheduleType } from '@signalbox/contract';
import { keptMoment, localMoment } from '../../ui/time/local-moment.ts';

/** Values of the form that do not depend on the template. Times are in the time zone of the browser. */
export interface ScheduleFormValues {
  name: string;
  template_id: string | null;
  type: ScheduleType;
  cron_format: string;
  run_at: string;
  /** Minutes as text. */
  interval: string;
  own_timezone: string | null;
  starts_at: string;
  ends_at: string;
  overlap: Overlap | 'template';
  /** Seconds as text. */
  jitter_seconds: string;
  repository_id: string | null;
  active: boolean;
  /** Id of the saved launch as text; null for values of the schedule itself. */
  saved_launch_id: string | null;
}

export const scheduleFormValues = (item: Schedule | undefined): ScheduleFormValues => ({
  name: item?.name ?? '',
  template_id: item ? String(item.template_id) : null,
  type: item?.type ?? 'cron',
  cron_format: item?.cron_format ?? '',
  run_at: localMoment(item?.run_at ?? null),
  interval: item?.interval_seconds ? String(item.interval_seconds / 60) : '60',
  own_timezone: item?.own_timezone ?? null,
  starts_at: localMoment(item?.starts_at ?? null),
  ends_at: localMoment(item?.ends_at ?? null),
  overlap: item?.overlap ?? 'template',
  jitter_seconds: String(item?.jitter_seconds ?? 0),
  repository_id: item?.repository_id ? String(item.repository_id) : null,
  active: item?.active ?? true,
  saved_launch_id: item?.saved_launch_id ? String(item.saved_launch_id) : null,
});

export const scheduleFormBody = (
  values: ScheduleFormValues,
  launch_values: LaunchValues,
  item: Schedule | undefined,
): BodyInput<RouteTable['createSchedule']> => {
  const { type } = values;
  return {
    name: values.name.trim(),
    template_id: Number(values.template_id),
    type,
    cron_format: type === 'cron' ? values.cron_format.trim() : '',
    run_at: type === 'run_at' ? keptMoment(values.run_at, item?.run_at) : null,
    interval_seconds: type === 'interval' ? Math.round(Number(values.interval) * 60) : null,
    own_timezone: values.own_timezone,
    starts_at: keptMoment(values.starts_at, item?.starts_at),
    ends_at: keptMoment(values.ends_at, item?.ends_at),
    overlap: values.overlap === 'template' ? null : values.overlap,
    jitter_seconds: Number(values.jitter_seconds),
    repository_id: values.repository_id === null ? null : Number(values.repository_id),
    active: values.active,
    ...(values.saved_launch_id === null
      ? { saved_launch_id: null, launch_values }
      : { saved_launch_id: Number(values.saved_launch_id) }),
  };
};

/** Catalogue keys of the errors by field. The server checks everything else. */
export const scheduleFormProblems = (values: ScheduleFormValues): Readonly<Record<string, string>> => ({
  ...(values.template_id === null ? { template_id: 'schedules.required' } : {}),
  ...(values.type === 'cron' && values.cron_format.trim() === '' ? { cron_format: 'schedules.required' } : {}),
  ...(values.type === 'run_at' && values.run_at === '' ? { run_at: 'schedules.required' } : {}),
  ...(values.type === 'interval' && !(Number(values.interval) >= 1) ? { interval: 'schedules.intervalWrong' } : {}),
});
