import type { ActiveTask } from '@signalbox/contract';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { listText, numberText } from '../../../lang/locale.ts';
import { DialogLink } from '../../../ui/basics/links.tsx';
import { doneShare } from '../../../ui/tasks/done-share.ts';
import { ExpectedEnd } from '../../../ui/tasks/expected-end.tsx';
import { shownStatus, statusStyle } from '../../../ui/tasks/status.ts';
import { StatusIcon, StatusLabel } from '../../../ui/tasks/status-icon.tsx';
import { StartedBy, TaskLink } from '../../../ui/tasks/task-cells.tsx';
import { useNow } from '../../../ui/time/clock.ts';
import { durationText } from '../../../ui/time/time.ts';
import { Duration } from '../../../ui/time/times.tsx';
import css from './overview.module.css';
import { Section } from './section.tsx';
import { TemplateLink } from './template-link.tsx';

const Bar = ({ task }: { task: ActiveTask }) => {
  const share = doneShare(task, useNow());
  if (share === null) return null;
  return (
    <div className={css.rail} aria-hidden="true">
      <div style={{ width: `${share * 100}%` }} />
    </div>
  );
};

/** Hosts that are named. */
const NAMED = 3;

/** The step that runs, and the hosts that have not answered in it for far longer than usual. */
const Now = ({ task: { id, running_step: step, silent_hosts: silent } }: { task: ActiveTask }) => {
  const { t } = useTranslation();
  const now = useNow();
  const passed = (since: string): string => durationText(Math.max(0, now - Date.parse(since)));
  if (silent) {
    const more = silent.total - NAMED;
    const named = silent.hosts.slice(0, NAMED);
    const names =
      more > 0 ? t('silent.more', { names: named.join(', '), count: more, number: numberText(more) }) : listText(named);
    const { since, usual_ms } = silent;
    return (
      <p className={css.step}>
        <StatusIcon colour="stop" shape="bars" size={14} />
        <DialogLink search={{ t: id, tab: 'log', line: silent.line || undefined, find: undefined, with: undefined }}>
          {silent.name}
        </DialogLink>{' '}
        <span className="stop">
          {t('overview.silent', {
            ...{ names, count: silent.total },
            ...{ time: passed(since), usual: durationText(usual_ms) },
          })}
        </span>
      </p>
    );
  }
  if (!step || step.name === '') return null;
  return (
    <p className={css.step}>
      <DialogLink search={{ t: id, tab: 'log', line: undefined, find: undefined, with: undefined }}>
        {step.name}
      </DialogLink>{' '}
      <span className={css.quiet}>
        {t('overview.stepSince', { time: passed(step.since), usual: durationText(step.usual_ms) })}
      </span>
    </p>
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
          {task.expected_end || task.start === null ? null : <Duration start={task.start} end={task.end} />}
          <ExpectedEnd task={task} before={task.expected_end ? undefined : ' '} />
        </span>
      </div>
      <Bar task={task} />
      <Now task={task} />
    </li>
  );
};

/** Tasks of the project that run, with their expected ends, or that wait. */
export const RunningNow = ({ tasks, id }: { tasks: readonly ActiveTask[]; id: 'running' | 'waiting' }) => {
  const { t } = useTranslation();
  if (tasks.length === 0) return null;
  return (
    <Section
      id={id}
      title={t(id === 'running' ? 'overview.runningNow' : 'overview.waitingToStart')}
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
