import type { BrokenTemplate, Failure, Overview, OwnRole, TemplateOutcomes } from '@signalbox/contract';
import { endReasonText } from '@signalbox/lang';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { outcomesQuery, roleQuery, templatesQuery } from '../../../api/queries.ts';
import { useEndReasonTexts } from '../../../lang/end-reasons.ts';
import { dayText, numberText } from '../../../lang/locale.ts';
import { mayDo, mayWith } from '../../../ui/access/permissions.ts';
import { buttonClass } from '../../../ui/basics/button.tsx';
import { DialogLink } from '../../../ui/basics/links.tsx';
import { AssignmentLine } from '../../../ui/tasks/assignment-line.tsx';
import { failureText } from '../../../ui/tasks/failure-text.ts';
import { OutcomeStrip } from '../../../ui/tasks/outcome-strip.tsx';
import { StatusIcon } from '../../../ui/tasks/status-icon.tsx';
import { TaskLink } from '../../../ui/tasks/task-cells.tsx';
import { Ago } from '../../../ui/time/times.tsx';
import { dayAndTime } from '../../../ui/time/when-text.ts';
import css from './overview.module.css';
import { Section } from './section.tsx';
import { TemplateLink } from './template-link.tsx';

interface EntryProps {
  project: number;
  template: number;
  name: string;
  task: number | null;
  /** When it failed. */
  when: ReactNode;
  tasks: TemplateOutcomes['tasks'] | undefined;
  action: ReactNode;
  children: ReactNode;
}

/** One open failure: the template, what failed, how its last runs ended, and one action. */
const Entry = ({ project, template, name, task, when, tasks, action, children }: EntryProps) => (
  <li className={css.failure}>
    <StatusIcon colour="error" shape="cross" />
    <div className={css.what}>
      <p className={css.line}>
        <TemplateLink project={project} template={template} name={name} />
        {task === null ? null : <TaskLink id={task} />}
        <span className={css.since}>{when}</span>
      </p>
      {children}
    </div>
    <span className={`${css.strip} not-phone`}>
      <OutcomeStrip tasks={tasks} />
    </span>
    <span className={css.action}>{action}</span>
  </li>
);

const RunAgain = ({ template, task }: { template: number; task: number | null }) => {
  const { t } = useTranslation();
  if (task === null) return null;
  return (
    <DialogLink className={buttonClass('outline', true)} search={{ run: template, again: task }}>
      {t('task.again')}
    </DialogLink>
  );
};

interface OpenFailuresProps {
  project: number;
  overview: Overview;
  /** Renders the button that takes a failure, or gives it back. */
  assign: (failure: Failure) => ReactNode;
  /** Renders the button that runs the last task with a failure again, on the hosts with it. */
  runOn: (failure: Failure) => ReactNode;
}

const BrokenEntry = ({
  broken,
  role,
  ...entry
}: { broken: BrokenTemplate; role: OwnRole | undefined } & Omit<
  EntryProps,
  'template' | 'name' | 'task' | 'when' | 'action' | 'children'
>) => {
  const { t } = useTranslation();
  const makeText = useEndReasonTexts();
  const { template_id, name, task_id, since, end_reason: reason } = broken;
  const text = reason === null ? '' : (endReasonText(makeText, reason) ?? reason.text);
  return (
    <Entry
      {...entry}
      {...{ template: template_id, name, task: task_id }}
      when={t('overview.since', { time: dayAndTime(since) })}
      action={mayWith(role, template_id, 'run') ? <RunAgain template={template_id} task={task_id} /> : null}
    >
      <p className={css.reason}>{[t('overview.beforeHosts'), text].filter(Boolean).join(' ')}</p>
    </Entry>
  );
};

/** The failures that are not fixed, those on the most hosts first, and the templates that fail before any host. */
export const OpenFailures = ({ project, overview, assign, runOn }: OpenFailuresProps) => {
  const { t } = useTranslation();
  const { data: templates } = useQuery(templatesQuery(project));
  const { data: outcomes } = useQuery(outcomesQuery(project));
  const { data: role } = useQuery(roleQuery(project));
  const { failures, failures_total, broken } = overview;
  const total = failures_total + broken.length;
  if (total === 0) return null;
  const nameOf = (id: number) => templates?.find((template) => template.id === id)?.name ?? '';
  const tasksOf = (id: number) => outcomes && (outcomes.find(({ template_id }) => template_id === id)?.tasks ?? []);
  return (
    <Section
      id="failures"
      title={t('overview.failures')}
      count={numberText(total)}
      more={
        <Link to="/project/$projectId/failures" params={{ projectId: project }} search={{}}>
          {t('overview.allFailures')}
        </Link>
      }
    >
      <ul className={css.list}>
        {failures.map((failure) => {
          const { template_id, seen, open_hosts: hosts, remark } = failure;
          const task = seen.last_task_id;
          const mayAssign = mayDo(role, 'run_tasks');
          return (
            <Entry
              key={failure.id}
              {...{ project, template: template_id, name: nameOf(template_id), task }}
              when={<Ago at={seen.last} />}
              tasks={tasksOf(template_id)}
              action={
                <>
                  {mayWith(role, template_id, 'run') ? runOn(failure) : null}
                  {mayAssign && remark.assignment === null ? assign(failure) : null}
                </>
              }
            >
              <p className={css.reason}>
                {t('overview.onHosts', {
                  ...{ count: hosts, number: numberText(hosts) },
                  ...{ step: failure.step, reason: failureText(t, failure).replace(/\.$/, '') },
                })}{' '}
                {t('overview.seen', {
                  count: seen.times,
                  number: numberText(seen.times),
                  day: dayText(new Date(seen.since)),
                })}
              </p>
              {remark.assignment === null ? null : (
                <div className={css.taken}>
                  <AssignmentLine assignment={remark.assignment} />
                  {mayAssign ? assign(failure) : null}
                </div>
              )}
            </Entry>
          );
        })}
        {broken.map((one) => (
          <BrokenEntry
            key={`template ${one.template_id}`}
            {...{ project, role, broken: one, tasks: tasksOf(one.template_id) }}
          />
        ))}
      </ul>
    </Section>
  );
};
