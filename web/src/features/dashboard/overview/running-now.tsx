import type { ActiveTask } from '@signalbox/contract';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { numberText } from '../../../lang/locale.ts';
import { ExpectedEnd } from '../../../ui/tasks/expected-end.tsx';
import { shownStatus, statusStyle } from '../../../ui/tasks/status.ts';
import { StatusIcon, StatusLabel } from '../../../ui/tasks/status-icon.tsx';
import { StartedBy, TaskLink } from '../../../ui/tasks/task-cells.tsx';
import { useNow } from '../../../ui/time/clock.ts';
import { Duration } from '../../../ui/time/times.tsx';
import css from './overview.module.css';
import { Section } from './section.tsx';
import { TemplateLink } from './template-link.tsx';

/** The part of a task that is done, as it is expected; null if that is unknown. */
const useShare = ({ start, expected_end, done_share }: ActiveTask): number | null => {
  const now = useNow();
  if (start === null || !expected_end || done_share === null || done_share === undefined) return null;
  const passed = (now - Date.parse(start)) / Math.max(1, Date.parse(expected_end) - Date.parse(start));
  return Math.min(0.99, Math.max(done_share, passed));
};

const Bar = ({ task }: { task: ActiveTask }) => {
  const share = useShare(task);
  if (share === null) return null;
  return (
    <div className={css.rail} aria-hidden="true">
      <div style={{ width: `${share * 100}%` }} />
    </div>
  );
};

const Running = ({ task }: { task: ActiveTask }) => {
  const style = statusStyle(shownStatus(task));
  return (
    <li className={css.run}>
      <div className={css.runHead}>
        <StatusIcon colour={style.colour} shape={style.shape} />
        <TemplateLink project={task.project_id} template={task.template_id} name={task.tpl_alias} />
        <TaskLink id={task.id} />
        <span className={`${css.quiet} cut not-phone`}>
          <StartedBy task={task} />
        </span>
        <span className={css.end}>
          {task.status === 'waiting' ? <StatusLabel status={shownStatus(task)} /> : null}
          {task.expected_end ? <ExpectedEnd task={task} /> : <Duration start={task.start} end={task.end} />}
        </span>
      </div>
      <Bar task={task} />
    </li>
  );
};

/** The tasks of the project that wait or run, with their expected ends. */
export const RunningNow = ({ tasks }: { tasks: readonly ActiveTask[] }) => {
  const { t } = useTranslation();
  if (tasks.length === 0) return null;
  return (
    <Section
      id="running"
      title={t('overview.runningNow')}
      count={numberText(tasks.length)}
      more={
        <Link to="/tasks" search={{}}>
          {t('overview.allProjects')}
        </Link>
      }
    >
      <ul className={css.list}>
        {tasks.map((task) => (
          <Running key={task.id} task={task} />
        ))}
      </ul>
    </Section>
  );
};
