import type { ScheduleBlock, ScheduleWeek } from '@signalbox/contract';
import { Link } from '@tanstack/react-router';
import { clockText } from '../../../ui/time/when-text.ts';
import { arrangeLanes } from './day-lanes.ts';
import css from './next-day.module.css';

export const DAY_MS = 86_400_000;
const HOUR_STEP = 2;
/** Width of a character of a label, as a part of the page. */
const CHARACTER = 0.0078;
/** From here on, the label of a bar is before it. */
const LATE = 0.75;

/** The due times of one schedule, the first of which has the label. */
export interface DayRow {
  readonly schedule: number;
  readonly name: string;
  readonly detail: string;
  readonly blocks: readonly ScheduleBlock[];
}

const percent = (part: number): string => `${Math.min(100, Math.max(0, part * 100))}%`;

const classOf = ({ state, overlaps, freeze }: ScheduleBlock): string | undefined =>
  state === 'paused' || freeze !== null ? css.paused : overlaps === null ? undefined : css.overlap;

const hoursFrom = (from: number): Date[] =>
  Array.from({ length: 24 / HOUR_STEP }, (_, step) => {
    const hour = new Date(from);
    hour.setMinutes(0, 0, 0);
    hour.setHours(hour.getHours() + HOUR_STEP - (hour.getHours() % HOUR_STEP) + step * HOUR_STEP);
    return hour;
  });

interface TimelineProps {
  project: number;
  /** Its begin, in milliseconds since 1970. */
  from: number;
  rows: readonly DayRow[];
  freezes: ScheduleWeek['freezes'];
}

/** The due times of 24 hours from left to right, for wide windows. */
export const DayTimeline = ({ project, from, rows, freezes }: TimelineProps) => {
  const at = (time: string | number): number => (new Date(time).getTime() - from) / DAY_MS;
  const shares = rows.map(({ name, detail, blocks }) => {
    const first = at(blocks[0]?.time ?? from);
    const label = (name.length + detail.length) * CHARACTER + 0.03;
    if (blocks.length > 1) return { from: 0, to: 1 };
    return first > LATE ? { from: first - label, to: first + 0.01 } : { from: first, to: first + label };
  });
  const { lanes, count } = arrangeLanes(shares);
  return (
    <div className={css.timeline} style={{ height: 30 + count * 24 }}>
      {freezes.map(({ window_id, from: begin, to }) => (
        <span
          key={`${window_id} ${begin}`}
          className={css.freeze}
          style={{ left: percent(at(begin)), width: percent(Math.min(1, at(to)) - Math.max(0, at(begin))) }}
        />
      ))}
      {hoursFrom(from)
        .filter((hour) => at(hour.getTime()) < 0.96)
        .map((hour) => (
          <span key={hour.getTime()} className={css.hour} style={{ left: percent(at(hour.getTime())) }}>
            {clockText(hour.toISOString())}
          </span>
        ))}
      {rows.flatMap(({ schedule, name, detail, blocks }, row) =>
        blocks.map((block, index) => (
          <Link
            key={`${schedule} ${block.time}`}
            className={`${css.block} ${classOf(block) ?? ''} ${at(block.time) > LATE ? css.before : ''}`}
            style={{ left: percent(at(block.time)), top: 26 + (lanes[row] ?? 0) * 24 }}
            to="/project/$projectId/schedules"
            params={{ projectId: project }}
            search={{ edit: schedule }}
            title={`${clockText(block.time)} ${name}`}
          >
            <span className="sr">{clockText(block.time)} </span>
            <span className={css.bar} style={{ width: `max(4px, ${((block.seconds ?? 0) / 86_400) * 100}cqw)` }} />
            <span className={index > 0 ? 'sr' : css.label}>{[name, detail].filter(Boolean).join(' ')}</span>
          </Link>
        )),
      )}
    </div>
  );
};
