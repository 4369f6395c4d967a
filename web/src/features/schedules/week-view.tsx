import type { Schedule, ScheduleBlock, ScheduleWeek } from '@signalbox/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type CSSProperties, memo, useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../api/api-error.ts';
import { freezeWindowsQuery, scheduleWeekQuery } from '../../api/queries.ts';
import { perLocale } from '../../lang/locale.ts';
import { Button, IconButton } from '../../ui/basics/button.tsx';
import { DialogLink } from '../../ui/basics/links.tsx';
import { LoadError } from '../../ui/page/load-error.tsx';
import { Bar } from '../../ui/page/page.tsx';
import { statusStyle } from '../../ui/tasks/status.ts';
import { useNowAs } from '../../ui/time/clock.ts';
import { longDuration, whenText } from '../../ui/time/when-text.ts';
import { useScheduleName } from './schedule-row.tsx';
import {
  arrangeWeek,
  dayKey,
  freezesOfDay,
  HOUR_PX,
  type PlacedBlock,
  type PlacedFreeze,
  weekDays,
  weekStart,
} from './week-blocks.ts';
import css from './week-view.module.css';

const shortDays = perLocale((tag) => new Intl.DateTimeFormat(tag, { day: 'numeric', weekday: 'short' }));
const longDays = perLocale((tag) => new Intl.DateTimeFormat(tag, { day: 'numeric', month: 'long' }));

const clocks = perLocale((tag) => new Intl.DateTimeFormat(tag, { hour: '2-digit', minute: '2-digit' }));

const clockText = (at: string) => clocks().format(new Date(at));

const hourText = (hour: number) => clockText(new Date(2026, 0, 15, hour).toISOString());

/** The class of a block: how the task ended, or whether it would overlap another one. */
const classOf = ({ status, overlaps, state }: ScheduleBlock): string | undefined => {
  if (state === 'paused') return css.paused;
  if (state === 'not_started') return css.notStarted;
  if (status !== null) return css[statusStyle(status).colour];
  return overlaps === null ? css.planned : css.overlap;
};

interface BlockProps {
  placed: PlacedBlock;
  nameOf: (id: number) => string;
  onOpen: (schedule: number) => void;
}

/** A block is drawn again only if it changed: a week may have thousands. */
const Block = memo(({ placed: { block, top, height, lane, lanes }, nameOf, onOpen }: BlockProps) => {
  const { t } = useTranslation();
  const name = nameOf(block.schedule_id);
  const details = [
    clockText(block.time),
    ...(block.seconds === null ? [] : [longDuration(Math.round(block.seconds))]),
    ...(block.status === null ? [] : [t(statusStyle(block.status).labelKey)]),
    ...(block.state === 'paused' ? [t('schedule.paused')] : []),
    ...(block.state === 'not_started' ? [t('schedules.didNotStart')] : []),
    ...(block.overlaps === null ? [] : [t('schedules.overlapsWith', { name: nameOf(block.overlaps) })]),
  ];
  const label = [name, ...details].join(t('separator.comma'));
  const common = {
    className: `${css.block} ${classOf(block)}`,
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
        {name}
      </DialogLink>
    );
  return (
    <button type="button" onClick={() => onOpen(block.schedule_id)} {...common}>
      {name}
    </button>
  );
});

interface FrozenTimesProps {
  freezes: readonly PlacedFreeze[];
  nameOf: (window: number) => string;
}

/** The hatched times of freeze windows behind the blocks of a day. */
const FrozenTimes = ({ freezes, nameOf }: FrozenTimesProps) => {
  const { t } = useTranslation();
  return freezes.map(({ window, top, height, isFirst }) => {
    const text = t('freeze.inWeek', { name: nameOf(window) });
    return (
      <div key={`${window} ${top}`} className={css.freeze} style={{ top, height }} title={text}>
        {isFirst ? <span>{text}</span> : <span className="sr">{text}</span>}
      </div>
    );
  });
};

/** A line at the current time. */
const NowLine = ({ day }: { day: Date }) => {
  const top = useNowAs((now) => {
    const at = new Date(now);
    return dayKey(at) === dayKey(day) ? (at.getHours() + at.getMinutes() / 60) * HOUR_PX : undefined;
  });
  return top === undefined ? null : <span className={css.now} style={{ top }} />;
};

const Legend = () => {
  const { t } = useTranslation();
  return (
    <ul className={css.legend}>
      <li className={css.ok}>{t(statusStyle('success').labelKey)}</li>
      <li className={css.error}>{t(statusStyle('error').labelKey)}</li>
      <li className={css.notStarted}>{t('schedules.didNotStart')}</li>
      <li className={css.planned}>{t('schedules.planned')}</li>
      <li className={css.overlap}>{t('schedules.overlapping')}</li>
    </ul>
  );
};

interface FrequentProps {
  frequent: ScheduleWeek['frequent'];
  schedules: readonly Schedule[];
  nameOf: (id: number) => string;
  onOpen: (schedule: number) => void;
}

/** Schedules with too many due times for blocks, one line each. */
const Frequent = ({ frequent, schedules, nameOf, onOpen }: FrequentProps) => {
  const { t } = useTranslation();
  if (frequent.length === 0) return null;
  return (
    <ul className={css.frequent} aria-label={t('schedules.frequent')}>
      {frequent.map(({ schedule_id, seconds }) => {
        const schedule = schedules.find(({ id }) => id === schedule_id);
        return (
          <li key={schedule_id}>
            <button type="button" onClick={() => onOpen(schedule_id)}>
              {nameOf(schedule_id)}
            </button>
            <span>
              {[
                ...(schedule ? [whenText(t, schedule)] : []),
                ...(seconds === null
                  ? []
                  : [t('schedules.takes', { duration: longDuration(Math.max(1, Math.round(seconds))) })]),
              ].join(t('separator.comma'))}
            </span>
          </li>
        );
      })}
    </ul>
  );
};

/** The midnights of the shown week, and the one after it. @param week as in the props of `WeekView` */
const shownDays = (week: string): Date[] => {
  const chosen = week === 'now' ? Number.NaN : Date.parse(`${week}T00:00`);
  return weekDays(weekStart(Number.isNaN(chosen) ? new Date() : new Date(chosen)));
};

const weekQuery = (project: number, days: readonly Date[]) => {
  const [first, end] = [days[0] as Date, days[7] as Date];
  return scheduleWeekQuery(project, first.toISOString(), end.toISOString());
};

/** Returns a function that fetches a week before it is opened. */
export const useWeekPrefetch = (project: number, week: string): (() => void) => {
  const client = useQueryClient();
  return () => void client.prefetchQuery(weekQuery(project, shownDays(week)));
};

interface WeekViewProps {
  project: number;
  schedules: readonly Schedule[];
  /** A day of the week that is shown, such as 2026-11-23; `now` for this week. */
  week: string;
  onWeek: (week: string) => void;
  /** Opens a schedule. */
  onOpen: (schedule: number) => void;
}

/** The calendar week: what schedules started, and what they will start. A block is as long as the task usually takes. */
export const WeekView = ({ project, schedules, week, onWeek, onOpen }: WeekViewProps) => {
  const { t } = useTranslation();
  const scheduleName = useScheduleName();
  const days = shownDays(week);
  const [first, last] = [days[0] as Date, days[6] as Date];
  const query = useQuery(weekQuery(project, days));
  const names = useMemo(
    () => new Map(schedules.map((schedule) => [schedule.id, scheduleName(schedule)])),
    [schedules, scheduleName],
  );
  const nameOf = useCallback((id: number) => names.get(id) ?? '', [names]);
  const move = (by: number) =>
    onWeek(dayKey(new Date(first.getFullYear(), first.getMonth(), first.getDate() + 7 * by)));
  const { frequent = [], freezes = [], more = false } = query.data ?? {};
  const { data: windows } = useQuery(freezeWindowsQuery(project));
  const windowName = (id: number) => windows?.find((window) => window.id === id)?.name ?? '';
  const placed = useMemo(() => arrangeWeek(query.data?.blocks ?? []), [query.data]);
  return (
    <>
      <Bar>
        <IconButton icon="back" label={t('schedules.weekBefore')} onClick={() => move(-1)} />
        <b>{longDays().formatRange(first, last)}</b>
        <IconButton icon="next" label={t('schedules.weekAfter')} onClick={() => move(1)} />
        <Button onClick={() => onWeek('now')}>{t('schedules.today')}</Button>
        <Legend />
      </Bar>
      {query.error ? (
        <Bar>
          <LoadError text={errorText(query.error)} retry={() => void query.refetch()} />
        </Bar>
      ) : null}
      <Frequent frequent={frequent} schedules={schedules} nameOf={nameOf} onOpen={onOpen} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable with the keyboard */}
      <section className={css.scroll} aria-label={t('schedules.week')} tabIndex={0} aria-busy={query.isPending}>
        <div className={css.week} style={{ '--hour': `${HOUR_PX}px` } as CSSProperties}>
          <div className={css.hours} aria-hidden="true">
            {[3, 6, 9, 12, 15, 18, 21].map((hour) => (
              <span key={hour} style={{ top: hour * HOUR_PX }}>
                {hourText(hour)}
              </span>
            ))}
          </div>
          {days.slice(0, 7).map((day, n) => (
            <section key={dayKey(day)} className={css.column} aria-label={longDays().format(day)}>
              <h2 className={dayKey(day) === dayKey(new Date()) ? css.today : undefined}>{shortDays().format(day)}</h2>
              <div className={css.day}>
                <FrozenTimes freezes={freezesOfDay(freezes, day, days[n + 1] as Date)} nameOf={windowName} />
                {placed.get(dayKey(day))?.map((one) => (
                  <Block
                    key={`${one.block.schedule_id} ${one.block.time} ${one.block.state}`}
                    placed={one}
                    nameOf={nameOf}
                    onOpen={onOpen}
                  />
                ))}
                <NowLine day={day} />
              </div>
            </section>
          ))}
        </div>
      </section>
      <p className={css.help}>
        {t('schedules.blockLength')} {more ? t('schedules.moreBlocks') : ''}
      </p>
    </>
  );
};
