import type { ActiveTask, Overview, Schedule } from '@signalbox/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { roleQuery, userQuery } from '../../../api/queries.ts';
import { eventText } from '../../../lang/event-texts.ts';
import { listText, numberText } from '../../../lang/locale.ts';
import { mayWith } from '../../../ui/access/permissions.ts';
import { buttonClass } from '../../../ui/basics/button.tsx';
import { DialogLink } from '../../../ui/basics/links.tsx';
import { StatusIcon } from '../../../ui/tasks/status-icon.tsx';
import { StartedBy, TaskLink } from '../../../ui/tasks/task-cells.tsx';
import { Ago } from '../../../ui/time/times.tsx';
import { isUnanswered } from '../../../ui/time/unanswered.ts';
import { whenText } from '../../../ui/time/when-text.ts';
import css from './overview.module.css';
import { Section } from './section.tsx';
import { TemplateLink } from './template-link.tsx';

/** The tasks that wait for an approval. Those that the user may approve have a button that leads to the decision. */
export const Approvals = ({ tasks }: { tasks: readonly ActiveTask[] }) => {
  const { t } = useTranslation();
  if (tasks.length === 0) return null;
  return (
    <Section id="approvals" title={t('overview.approvals')} count={numberText(tasks.length)}>
      <ul className={css.list}>
        {tasks.map((task) => (
          <li key={task.id} className={css.entry}>
            <StatusIcon colour="stop" shape="bars" />
            <div className={css.what}>
              <p className={css.line}>
                <TemplateLink project={task.project_id} template={task.template_id} name={task.tpl_alias} />
                <TaskLink id={task.id} />
              </p>
              {task.message === '' ? null : <p className={css.reason}>{task.message}</p>}
              <p className={css.small}>
                <StartedBy task={task} />
                {t('separator.comma')}
                <Ago at={task.created} />
              </p>
            </div>
            <span className={css.action}>
              <Link
                className={buttonClass('outline', true)}
                to="/project/$projectId/tasks/$taskId"
                params={{ projectId: task.project_id, taskId: task.id }}
                search={{}}
              >
                {t(task.may_approve ? 'overview.review' : 'overview.open')}
              </Link>
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
};

/** The schedules whose last due time started no task, or whose next one can't, and why. */
export const NotStarted = ({ project, schedules }: { project: number; schedules: readonly Schedule[] }) => {
  const { t } = useTranslation();
  const { data: role } = useQuery(roleQuery(project));
  if (schedules.length === 0) return null;
  return (
    <Section
      id="not-started"
      title={t('schedules.didNotStart')}
      count={numberText(schedules.length)}
      more={
        <Link to="/project/$projectId/schedules" params={{ projectId: project }} search={{}}>
          {t('schedules.title')}
        </Link>
      }
    >
      <ul className={css.list}>
        {schedules.map((schedule) => (
          <li key={schedule.id} className={css.entry}>
            <StatusIcon colour="wait" shape="dashed" />
            <div className={css.what}>
              <p className={css.line}>
                <Link
                  className={`${css.name} cut`}
                  to="/project/$projectId/schedules"
                  params={{ projectId: project }}
                  search={{ edit: schedule.id }}
                >
                  {schedule.name || whenText(t, schedule)}
                </Link>
                {schedule.problem === null ? null : <Ago at={schedule.problem.time} />}
              </p>
              {schedule.problem === null ? null : <p className={css.reason}>{eventText(schedule.problem)}</p>}
              {isUnanswered(schedule) ? (
                <p className={css.reason}>{t('schedules.unanswered', { names: listText(schedule.missing_answers) })}</p>
              ) : null}
            </div>
            {mayWith(role, schedule.template_id, 'run') ? (
              <span className={css.action}>
                <Link
                  className={buttonClass('quiet', true)}
                  to="/project/$projectId/schedules"
                  params={{ projectId: project }}
                  search={{ edit: schedule.id }}
                >
                  {t('runners.editAction')}
                </Link>
                <DialogLink
                  className={buttonClass('outline', true)}
                  search={{ run: schedule.template_id, schedule: schedule.id }}
                >
                  {t('overview.runNow')}
                </DialogLink>
              </span>
            ) : null}
          </li>
        ))}
      </ul>
    </Section>
  );
};

/** The runners that were connected and no longer are. Only administrators have a page of each. */
export const RunnersAway = ({ runners }: { runners: Overview['runners_away'] }) => {
  const { t } = useTranslation();
  const { data: user } = useQuery(userQuery());
  if (runners.length === 0) return null;
  return (
    <Section id="runners" title={t('overview.runnersAway')} count={numberText(runners.length)}>
      <ul className={css.list}>
        {runners.map(({ id, name, last_contact }) => (
          <li key={id} className={css.entry}>
            <StatusIcon colour="stop" shape="bars" />
            <div className={css.what}>
              <p className={css.line}>
                {user?.admin ? (
                  <Link className={`${css.name} cut`} to="/runners/$runnerId" params={{ runnerId: id }}>
                    {name}
                  </Link>
                ) : (
                  <span className={`${css.name} cut`}>{name}</span>
                )}
              </p>
              <p className={css.small}>
                {t('overview.lastContact')} <Ago at={last_contact} />
              </p>
            </div>
          </li>
        ))}
      </ul>
    </Section>
  );
};
