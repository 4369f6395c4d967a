import type { ScheduleBlock } from '@signalbox/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { projectSchedulesQuery, scheduleWeekQuery, templatesQuery } from '../../../api/queries.ts';
import { numberText } from '../../../lang/locale.ts';
import { useNowAs } from '../../../ui/time/clock.ts';
import { DAY_MS } from '../../../ui/time/time.ts';
import { clockText, whenText } from '../../../ui/time/when-text.ts';
import { type DayRow, DayTimeline } from './day-timeline.tsx';
import css from './next-day.module.css';
import { Section } from './section.tsx';

/** The shown time moves on in steps, so that the data is loaded once for each of them. */
const STEP_MS = 10 * 60_000;
/** Number of schedules in the list of a phone. */
const LISTED = 8;

const runsOf = (t: ReturnType<typeof useTranslation>['t'], count: number): string =>
  t('overview.runs', { count, number: numberText(count) });

/** The next due time of each schedule, one below the other, for phones. */
const DayList = ({ project, rows }: { project: number; rows: readonly DayRow[] }) => {
  return (
    <ol className={css.dayList}>
      {rows.slice(0, LISTED).map(({ schedule, name, detail, blocks }) => (
        <li key={schedule}>
          <Link to="/project/$projectId/schedules" params={{ projectId: project }} search={{ edit: schedule }}>
            <span className="cut">{name}</span>
            <small>{detail}</small>
            {blocks[0] ? <time dateTime={blocks[0].time}>{clockText(blocks[0].time)}</time> : null}
          </Link>
        </li>
      ))}
    </ol>
  );
};

/** The due times of the next 24 hours by schedule, the next one first; undefined while they load. */
const useNextDay = (project: number) => {
  const { t } = useTranslation();
  const from = useNowAs((now) => Math.floor(now / STEP_MS) * STEP_MS);
  const [begin, end] = [new Date(from).toISOString(), new Date(from + DAY_MS).toISOString()];
  const { data: week } = useQuery(scheduleWeekQuery(project, begin, end));
  const { data: schedules } = useQuery(projectSchedulesQuery(project));
  const { data: templates } = useQuery(templatesQuery(project));
  if (!week || !schedules || !templates) return undefined;
  const nameOf = (id: number): string => {
    const schedule = schedules.find((one) => one.id === id);
    if (!schedule) return '';
    return schedule.name || (templates.find(({ id: one }) => one === schedule.template_id)?.name ?? '');
  };
  const detailOf = ({ state, overlaps, freeze }: ScheduleBlock): string => {
    if (state === 'paused') return t('schedule.paused');
    if (freeze !== null) return t('overview.frozen', { time: clockText(freeze.until) });
    return overlaps === null ? '' : t('schedules.overlapsWith', { name: nameOf(overlaps) });
  };
  const planned = week.blocks.filter(({ state }) => state === 'planned' || state === 'paused');
  const due = [...Map.groupBy(planned, ({ schedule_id }) => schedule_id)].map(([schedule, blocks]): DayRow => {
    const [first] = blocks;
    const detail = first && blocks.length === 1 ? detailOf(first) : runsOf(t, blocks.length);
    return { schedule, name: nameOf(schedule), detail, blocks };
  });
  const often = week.frequent.flatMap(({ schedule_id }): DayRow[] => {
    const schedule = schedules.find(({ id }) => id === schedule_id);
    if (!schedule?.active) return [];
    return [{ schedule: schedule_id, name: nameOf(schedule_id), detail: whenText(t, schedule), blocks: [] }];
  });
  // The number of runs is unknown if a schedule is due very often.
  const runs = often.length > 0 ? undefined : planned.length;
  return { from, rows: [...due, ...often], freezes: week.freezes, runs };
};

/** What schedules start in the next 24 hours, with what holds it. */
export const NextDay = ({ project, isNarrow }: { project: number; isNarrow: boolean }) => {
  const { t } = useTranslation();
  const day = useNextDay(project);
  if (!day || day.rows.length === 0) return null;
  const { from, rows, freezes, runs } = day;
  return (
    <Section
      id="next-day"
      title={t('overview.nextDay')}
      count={runs === undefined ? undefined : runsOf(t, runs)}
      more={
        <Link to="/project/$projectId/schedules" params={{ projectId: project }} search={{}}>
          {t('schedules.title')}
        </Link>
      }
    >
      {isNarrow ? (
        <DayList project={project} rows={rows} />
      ) : (
        <DayTimeline project={project} from={from} rows={rows} freezes={freezes} />
      )}
    </Section>
  );
};
