import type { ScheduleBlock } from '@signalbox/contract';
import type { TFunction } from 'i18next';
import { dayAndTime } from './when-text.ts';

/** What a freeze window does to the run of a due time. */
export const freezeText = (
  t: TFunction,
  { held, until }: NonNullable<ScheduleBlock['freeze']>,
  name: string,
): string => (held ? t('freeze.heldUntil', { name, until: dayAndTime(until) }) : t('freeze.skippedBy', { name }));
