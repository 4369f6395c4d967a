import type { Schedule, ScheduleWeek } from '@signalbox/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type CSSProperties, type RefObject, useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../api/api-error.ts';
import { scheduleWeekQuery } from '../../api/queries.ts';
import { perLocale } from '../../lang/locale.ts';
import { Button, IconButton } from '../../ui/basics/button.tsx';
import { LoadError } from '../../ui/page/load-error.tsx';
import { Bar } from '../../ui/page/page.tsx';
import { useNowAs } from '../../ui/time/clock.ts';
import { clockText, longDuration, whenText } from '../../ui/time/when-text.ts';
import { FrozenTimes, isPartial, useWindows } from './freeze/frozen-times.tsx';
import { useScheduleName } from './schedule-row.tsx';
import { WeekBlock } from './week-block.tsx';
import { arrangeWeek, dayKey, freezesOfDay, HOUR_PX, weekDays, weekStart } from './week-blocks.ts';
import { WeekLegend } from './week-legend.tsx';
import css from './week-view.module.css';

const NO_BLOCKS: never[] = [];

/** A narrower block has only its colour: a few letters name no schedule. */
const NARROW_PX = 32;

const shortDays = perLocale((tag) => new Intl.DateTimeFormat(tag, { day: 'numeric', weekday: 'short' }));
const longDays = perLocale((tag) => new Intl.DateTimeFormat(tag, { day: 'numeric', month: 'long' }));

const hourText = (hour: number) => clockText(new Date(2026, 0, 15, hour).toISOString());

/** A line at the current time. */
const NowLine = ({ day }: { day: Date }) => {
  const top = useNowAs((now) => {
    const at = new Date(now);
    return dayKey(at) === dayKey(day) ? (at.getHours() + at.getMinutes() / 60) * HOUR_PX : undefined;
  });
  return top === undefined ? null : <span className={css.now} style={{ top }} />;
};

/** The width of a column in pixels; undefined until the columns are in the page. */
const useColumnWidth = (columns: RefObject<HTMLDivElement | null>): number | undefined => {
  const [width, setWidth] = useState<number>();
  useLayoutEffect(() => {
    const monday = columns.current?.children[1];
    if (!monday) return undefined;
    const measure = () => setWidth(monday.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(monday);
    return () => observer.disconnect();
  }, [columns]);
  return width;
};

/** Scrolls the columns so that today is visible, which it is not always in a narrow window. */
const useTodayInView = (week: string): RefObject<HTMLDivElement | null> => {
  const columns = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another week has other columns
  useLayoutEffect(() => {
    const today = columns.current?.querySelector<HTMLElement>('[aria-current]');
    const monday = columns.current?.children[1];
    if (today && monday instanceof HTMLElement)
      (columns.current?.parentElement as HTMLElement).scrollLeft = today.offsetLeft - monday.offsetLeft;
  }, [week]);
  return columns;
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

/** Whether a week has been read, or cannot be. */
export const useIsWeekRead = (project: number, week: string, enabled: boolean): boolean =>
  !useQuery({ ...weekQuery(project, shownDays(week)), enabled }).isPending;

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
  const { blocks = NO_BLOCKS, frequent = [], freezes = [], more = false } = query.data ?? {};
  const windows = useWindows(project);
  const windowName = useCallback((id: number) => windows.get(id)?.name ?? '', [windows]);
  const placed = useMemo(() => arrangeWeek(blocks), [blocks]);
  const shown = days.slice(0, 7);
  const frozen = shown.map((day, n) => freezesOfDay(freezes, day, days[n + 1] as Date));
  const hasLine = frozen.map((ofDay) => ofDay.some(({ window }) => isPartial(windows.get(window))));
  const today = dayKey(new Date());
  const columns = useTodayInView(dayKey(first));
  const width = useColumnWidth(columns);
  return (
    <>
      <Bar>
        <IconButton icon="back" label={t('schedules.weekBefore')} onClick={() => move(-1)} />
        <b>{longDays().formatRange(first, last)}</b>
        <IconButton icon="next" label={t('schedules.weekAfter')} onClick={() => move(1)} />
        <Button onClick={() => onWeek('now')}>{t('schedules.today')}</Button>
        <WeekLegend hasFreezes={freezes.length > 0} hasPaused={blocks.some(({ state }) => state === 'paused')} />
      </Bar>
      {query.error ? (
        <Bar>
          <LoadError text={errorText(query.error)} retry={() => void query.refetch()} />
        </Bar>
      ) : null}
      <Frequent frequent={frequent} schedules={schedules} nameOf={nameOf} onOpen={onOpen} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable with the keyboard */}
      <section className={css.scroll} aria-label={t('schedules.week')} tabIndex={0} aria-busy={query.isPending}>
        <div ref={columns} className={css.week} style={{ '--hour': `${HOUR_PX}px` } as CSSProperties}>
          <div className={css.hours} aria-hidden="true">
            {[3, 6, 9, 12, 15, 18, 21].map((hour) => (
              <span key={hour} style={{ top: hour * HOUR_PX }}>
                {hourText(hour)}
              </span>
            ))}
          </div>
          {shown.map((day, n) => (
            <section
              key={dayKey(day)}
              className={css.column}
              aria-label={longDays().format(day)}
              aria-current={dayKey(day) === today ? 'date' : undefined}
            >
              <h2 className={dayKey(day) === today ? css.today : undefined}>{shortDays().format(day)}</h2>
              <div className={css.day}>
                {frozen[n]?.length ? <FrozenTimes project={project} freezes={frozen[n]} windows={windows} /> : null}
                <div className={hasLine[n] ? css.afterLine : css.blocks}>
                  {(width === undefined ? undefined : placed.get(dayKey(day)))?.map((one) => (
                    <WeekBlock
                      key={`${one.block.schedule_id} ${one.block.time} ${one.block.state}`}
                      placed={one}
                      isNarrow={(width ?? 0) / one.lanes < NARROW_PX}
                      t={t}
                      nameOf={nameOf}
                      windowName={windowName}
                      onOpen={onOpen}
                    />
                  ))}
                </div>
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
