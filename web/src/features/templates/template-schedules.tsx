import type { Schedule } from '@signalbox/contract';
import { Link } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { freezeText } from '../../ui/time/freeze-text.ts';
import { dayAndTime, ownZone, shownZone, whenText, zoneText } from '../../ui/time/when-text.ts';
import { byStart } from './next-start.ts';
import css from './template-details.module.css';

/** Number of schedules that the page of a template lists. */
const SHOWN = 5;

/** When a schedule starts its next task, and what a freeze window does to the next due time. */
const nextTexts = (t: TFunction, schedule: Schedule, start: string | undefined): string[] => {
  const { active, next_start: due, freeze } = schedule;
  if (!active) return [t('schedule.paused')];
  if (due === null) return [t('schedules.done')];
  const zone = zoneText(ownZone());
  const separator = t('separator.comma');
  const time = (at: string) => [dayAndTime(at), ...(zone === shownZone(schedule) ? [] : [zone])].join(separator);
  return [
    ...(start === undefined ? [] : [t('schedules.nextAt', { time: time(start) })]),
    ...(freeze?.held ? [t('freeze.holds', freeze)] : []),
    ...(freeze?.held === false ? [[dayAndTime(due), freezeText(t, freeze, freeze.name)].join(separator)] : []),
  ];
};

interface ScheduleTextProps {
  schedule: Schedule;
  start: string | undefined;
  repository: string | undefined;
}

/** A schedule with a link to it, when it is due, and what else decides whether it starts a task. */
const ScheduleText = ({ schedule, start, repository }: ScheduleTextProps) => {
  const { t } = useTranslation();
  const { id, project_id: projectId, name, repository_id } = schedule;
  const when = whenText(t, schedule);
  const zone = shownZone(schedule);
  const remarks = [
    name === '' ? zone : [when, zone].join(t('separator.comma')),
    ...nextTexts(t, schedule, start),
    ...(repository_id === null ? [] : [`${t('schedule.onCommit')} ${repository ?? '–'}`]),
  ];
  return (
    <span className={css.schedule}>
      <Link to="/project/$projectId/schedules" params={{ projectId }} search={{ edit: id }}>
        {name || when}
      </Link>
      <small>{remarks.join(' · ')}</small>
    </span>
  );
};

interface TemplateSchedulesProps {
  template: { readonly project_id: number; readonly name: string };
  schedules: readonly Schedule[];
  repositoryName: (id: number | null) => string | undefined;
}

/** The schedules of a template that start a task next, and a link to all of them. */
export const TemplateSchedules = ({ template, schedules, repositoryName }: TemplateSchedulesProps) => {
  const { t } = useTranslation();
  return (
    <>
      {byStart(schedules)
        .slice(0, SHOWN)
        .map(({ schedule, start }) => (
          <ScheduleText
            key={schedule.id}
            schedule={schedule}
            start={start}
            repository={repositoryName(schedule.repository_id)}
          />
        ))}
      {schedules.length > SHOWN ? (
        <Link
          to="/project/$projectId/schedules"
          params={{ projectId: template.project_id }}
          search={{ q: template.name }}
        >
          {t('template.allSchedules', { count: schedules.length })}
        </Link>
      ) : null}
    </>
  );
};
