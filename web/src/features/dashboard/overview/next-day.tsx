import type { ScheduleBlock } from '@signalbox/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { projectSchedulesQuery, scheduleWeekQuery } from '../../../api/queries.ts';
import { numberText } from '../../../lang/locale.ts';
import { useNowAs } from '../../../ui/time/clock.ts';
import { clockText, whenText } from '../../../ui/time/when-text.ts';
import { DAY_MS, type DayRow, DayTimeline } from './day-timeline.tsx';
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
  const { t } = useTranslation();
  return (
    <ol className={css.dayList}>
      {rows.slice(0, LISTED).map(({ schedule, name, detail, blocks }) => (
        <li key={schedule}>
          <Link to="/project/$projectId/schedules" params={{ projectId: project }} search={{ edit: schedule }}>
            <span className="cut">{name}</span>
            <small>{blocks.length > 1 ? runsOf(t, blocks.length) : detail}</small>
            <time dateTime={blocks[0]?.time}>{clockText(blocks[0]?.time ?? '')}</time>
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
  if (!week || !schedules) return undefined;
  const nameOf = (id: number): string => {
    const schedule = schedules.find((one) => one.id === id);
    return schedule ? schedule.name || whenText(t, schedule) : '';
  };
  const detailOf = ({ state, overlaps, freeze }: ScheduleBlock): string => {
    if (state === 'paused') return t('schedule.paused');
    if (freeze !== null) return t('overview.frozen', { time: clockText(freeze.until) });
    return overlaps === null ? '' : t('schedules.overlapsWith', { name: nameOf(overlaps) });
  };
  const planned = week.blocks.filter(({ state }) => state === 'planned' || state === 'paused');
  const rows = [...Map.groupBy(planned, ({ schedule_id }) => schedule_id)].map(([schedule, blocks]): DayRow => {
    const [first] = blocks;
    return { schedule, name: nameOf(schedule), detail: first && blocks.length === 1 ? detailOf(first) : '', blocks };
  });
  const often = week.frequent.flatMap(({ schedule_id }) => schedules.find(({ id }) => id === schedule_id) ?? []);
  return { from, rows, often, freezes: week.freezes, runs: planned.length, nameOf };
};

/** What schedules start in the next 24 hours, with what holds it. */
export const NextDay = ({ project, isNarrow }: { project: number; isNarrow: boolean }) => {
  const { t } = useTranslation();
  const day = useNextDay(project);
  if (!day || day.rows.length + day.often.length === 0) return null;
  const { from, rows, often, freezes, runs, nameOf } = day;
  const link = { to: '/project/$projectId/schedules', params: { projectId: project } } as const;
  const timeline = <DayTimeline project={project} from={from} rows={rows} freezes={freezes} />;
  return (
    <Section
      id="next-day"
      title={t('overview.nextDay')}
      count={runsOf(t, runs)}
      more={
        <Link {...link} search={{}}>
          {t('schedules.title')}
        </Link>
      }
    >
      {rows.length === 0 ? null : isNarrow ? <DayList project={project} rows={rows} /> : timeline}
      {often.length === 0 ? null : (
        <ul className={css.frequent}>
          {often.map((schedule) => (
            <li key={schedule.id}>
              <Link {...link} search={{ edit: schedule.id }}>
                {nameOf(schedule.id)}
              </Link>{' '}
              {schedule.name === '' ? null : whenText(t, schedule)}
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
};
