import type { ScheduleBlock } from '@signalbox/contract';
import type { TFunction } from 'i18next';
import { type CSSProperties, memo } from 'react';
import { DialogLink } from '../../ui/basics/links.tsx';
import { statusStyle } from '../../ui/tasks/status.ts';
import { freezeText } from '../../ui/time/freeze-text.ts';
import { clockText, longDuration } from '../../ui/time/when-text.ts';
import css from './week-block.module.css';
import type { PlacedBlock } from './week-blocks.ts';

/** The class of a block: how the task ended, or whether it would overlap another one. */
const classOf = ({ status, overlaps, state, freeze }: ScheduleBlock): string | undefined => {
  if (state === 'paused') return css.paused;
  if (state === 'not_started') return css.notStarted;
  if (freeze !== null) return freeze.held ? css.held : css.skipped;
  if (status !== null) return css[statusStyle(status).colour];
  return overlaps === null ? css.planned : css.overlap;
};

interface WeekBlockProps {
  placed: PlacedBlock;
  /** Whether only its colour fits. */
  isNarrow: boolean;
  /** As a property, because the hook would listen to changes of the language in each block. */
  t: TFunction;
  /** The name of a schedule. */
  nameOf: (id: number) => string;
  /** The name of a freeze window. */
  windowName: (id: number) => string;
  onOpen: (schedule: number) => void;
}

/**
 * A task of a schedule, or a due time; it is as high as the task takes. It is drawn again only if it changed: a week may
 * have thousands.
 */
export const WeekBlock = memo(({ placed, isNarrow, t, nameOf, windowName, onOpen }: WeekBlockProps) => {
  const { block, top, height, lane, lanes } = placed;
  const name = nameOf(block.schedule_id);
  const details = [
    clockText(block.time),
    ...(block.seconds === null ? [] : [longDuration(Math.round(block.seconds))]),
    ...(block.status === null ? [] : [t(statusStyle(block.status).labelKey)]),
    ...(block.state === 'paused' ? [t('schedule.paused')] : []),
    ...(block.state === 'not_started' ? [t('schedules.didNotStart')] : []),
    ...(block.freeze === null ? [] : [freezeText(t, block.freeze, windowName(block.freeze.window_id))]),
    ...(block.overlaps === null ? [] : [t('schedules.overlapsWith', { name: nameOf(block.overlaps) })]),
  ];
  const label = [name, ...details].join(t('separator.comma'));
  const text = isNarrow ? null : name;
  const common = {
    className: `${css.block} ${classOf(block)} ${isNarrow ? css.narrow : ''}`,
    style: {
      top,
      height,
      left: `calc(${(lane / lanes) * 100}% + 2px)`,
      width: `calc(${100 / lanes}% - 4px)`,
    } as CSSProperties,
    title: label,
    'aria-label': label,
  };
  if (block.task_id !== null)
    return (
      <DialogLink search={{ t: block.task_id }} {...common}>
        {text}
      </DialogLink>
    );
  return (
    <button type="button" onClick={() => onOpen(block.schedule_id)} {...common}>
      {text}
    </button>
  );
});
