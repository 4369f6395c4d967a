import type { ScheduleBlock, ScheduleWeek } from '@signalbox/contract';
import { Link } from '@tanstack/react-router';
import type { CSSProperties, ReactNode } from 'react';
import { DAY_MS } from '../../../ui/time/time.ts';
import { clockText } from '../../../ui/time/when-text.ts';
import { arrangeLanes } from './day-lanes.ts';
import css from './next-day.module.css';

const HOUR_STEP = 2;
/** Width of a character of a label, as a part of the page. */
const CHARACTER = 0.0078;
/** From here on, the label of a bar is before it. */
const LATE = 0.75;

/** The due times of one schedule; none for one that is due too often to show each. */
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

/** Heights in pixels: the hours, a lane of schedules that are due once, and a row of one that is due more often, with its label. */
const HEAD = 26;
const LANE = 24;
const ROW = 40;
const LABEL = 18;

const isSeveral = ({ blocks }: DayRow): boolean => blocks.length !== 1;

/** Chinese characters are twice as wide as others. */
const widthOf = (text: string): number => text.length + (text.match(/[\u2e80-\uffef]/g)?.length ?? 0);

const ScheduleLink = ({
  project,
  schedule,
  ...link
}: {
  project: number;
  schedule: number;
  className: string | undefined;
  style?: CSSProperties;
  title?: string;
  children: ReactNode;
}) => <Link {...link} to="/project/$projectId/schedules" params={{ projectId: project }} search={{ edit: schedule }} />;

interface BlockProps {
  project: number;
  row: DayRow;
  block: ScheduleBlock;
  /** A part of the width. */
  left: number;
  top: number;
  /** Width of the label as a part of the whole; undefined if the row has one for all of its blocks. */
  label?: number;
}

/** One due time, as wide as the task usually takes. */
const Block = ({ project, row: { schedule, name, detail }, block, left, top, label }: BlockProps) => {
  const isBefore = label !== undefined && left > LATE;
  return (
    <ScheduleLink
      className={`${css.block} ${classOf(block) ?? ''} ${isBefore ? css.before : ''}`}
      style={{ left: percent(left), top }}
      project={project}
      schedule={schedule}
      title={`${clockText(block.time)} ${name}`}
    >
      <span className="sr">{clockText(block.time)} </span>
      <span className={css.bar} style={{ width: `max(4px, ${((block.seconds ?? 0) / 86_400) * 100}cqw)` }} />
      <span
        className={label === undefined ? 'sr' : `${css.label} cut`}
        style={label === undefined ? undefined : { maxWidth: `${label * 100}cqw` }}
      >
        {[name, detail].filter(Boolean).join(' ')}
      </span>
    </ScheduleLink>
  );
};

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
  const [single, several] = [rows.filter(({ blocks }) => blocks.length === 1), rows.filter(isSeveral)];
  const shares = single.map(({ name, detail, blocks }) => {
    const first = at(blocks[0]?.time ?? from);
    const label = (widthOf(name) + widthOf(detail)) * CHARACTER + 0.03;
    return first > LATE ? { from: first - label, to: first + 0.01 } : { from: first, to: first + label };
  });
  const { lanes, count } = arrangeLanes(shares);
  const top = HEAD + count * LANE;
  return (
    <div className={css.timeline} style={{ height: top + several.length * ROW + 4 }}>
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
      {single.map((row, index) => {
        const [block] = row.blocks;
        const { from: begin, to } = shares[index] ?? { from: 0, to: 1 };
        return block ? (
          <Block
            key={row.schedule}
            {...{ project, row, block, left: at(block.time), top: HEAD + (lanes[index] ?? 0) * LANE }}
            label={to - begin}
          />
        ) : null;
      })}
      {several.map((row, index) => (
        <div key={row.schedule} className={css.row} style={{ top: top + index * ROW }}>
          <ScheduleLink className={css.rowLabel} project={project} schedule={row.schedule}>
            {row.name} {row.detail === '' ? null : <small>{row.detail}</small>}
          </ScheduleLink>
          {row.blocks.length === 0 ? <span className={css.band} /> : null}
          {row.blocks.map((block) => (
            <Block key={block.time} {...{ project, row, block, left: at(block.time), top: LABEL }} />
          ))}
        </div>
      ))}
    </div>
  );
};
