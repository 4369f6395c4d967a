import type { BodyInput, FreezeWindow, RouteTable, ScheduledRuns } from '@signalbox/contract';
import { keptMoment, localMoment } from '../../../ui/time/local-moment.ts';

export const TARGETS = ['project', 'template', 'inventory', 'label'] as const;
export type Target = (typeof TARGETS)[number];

/** Values of the form. Times are in the time zone of the browser. */
export interface FreezeFormValues {
  name: string;
  reason: string;
  target: Target;
  /** Id of the frozen object as text. */
  object: string | null;
  type: 'once' | 'repeating';
  starts_at: string;
  ends_at: string;
  cron_format: string;
  /** Hours as text. */
  hours: string;
  timezone: string | null;
  scheduled_runs: ScheduledRuns;
}

/** What a window freezes, and its id. */
export const targetOf = ({
  template_id,
  inventory_id,
  label_id,
}: Pick<FreezeWindow, 'template_id' | 'inventory_id' | 'label_id'>): { target: Target; id: number | null } => {
  if (template_id !== null) return { target: 'template', id: template_id };
  if (inventory_id !== null) return { target: 'inventory', id: inventory_id };
  return label_id === null ? { target: 'project', id: null } : { target: 'label', id: label_id };
};

export const freezeFormValues = (item: FreezeWindow | undefined): FreezeFormValues => {
  const { target, id } = item ? targetOf(item) : { target: 'project' as const, id: null };
  return {
    name: item?.name ?? '',
    reason: item?.reason ?? '',
    target,
    object: id === null ? null : String(id),
    type: item?.cron_format ? 'repeating' : 'once',
    starts_at: localMoment(item?.starts_at ?? null),
    ends_at: localMoment(item?.ends_at ?? null),
    cron_format: item?.cron_format ?? '',
    hours: item?.duration_seconds ? String(item.duration_seconds / 3600) : '2',
    timezone: item?.cron_format ? item.timezone : null,
    scheduled_runs: item?.scheduled_runs ?? 'hold',
  };
};

const secondsOf = (hours: string): number => Math.round(Number(hours.trim().replace(',', '.')) * 3600);

export const freezeFormBody = (
  values: FreezeFormValues,
  item: FreezeWindow | undefined,
): BodyInput<RouteTable['createFreezeWindow']> => {
  const id = values.object === null ? null : Number(values.object);
  const isOnce = values.type === 'once';
  return {
    name: values.name.trim(),
    reason: values.reason.trim(),
    template_id: values.target === 'template' ? id : null,
    inventory_id: values.target === 'inventory' ? id : null,
    label_id: values.target === 'label' ? id : null,
    starts_at: isOnce ? keptMoment(values.starts_at, item?.starts_at) : null,
    ends_at: isOnce ? keptMoment(values.ends_at, item?.ends_at) : null,
    cron_format: isOnce ? '' : values.cron_format.trim(),
    duration_seconds: isOnce ? null : secondsOf(values.hours),
    timezone: isOnce ? '' : (values.timezone ?? ''),
    scheduled_runs: values.scheduled_runs,
  };
};

/** Catalogue keys of the errors by field. The server checks everything else. */
export const freezeFormProblems = (values: FreezeFormValues): Readonly<Record<string, string>> => {
  const required = (field: keyof FreezeFormValues, isNeeded = true) =>
    isNeeded && (values[field] ?? '').trim() === '' ? { [field]: 'schedules.required' } : {};
  const isOnce = values.type === 'once';
  return {
    ...required('name'),
    ...required('reason'),
    ...required('object', values.target !== 'project'),
    ...required('starts_at', isOnce),
    ...required('ends_at', isOnce),
    ...required('cron_format', !isOnce),
    ...(isOnce || secondsOf(values.hours) >= 60 ? {} : { hours: 'freeze.hoursWrong' }),
  };
};
