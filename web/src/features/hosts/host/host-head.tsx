import type { HostPage, Template } from '@signalbox/contract';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Breadcrumb } from '../../../ui/page/breadcrumb.tsx';
import { useTitle } from '../../../ui/page/page.tsx';
import { StatusIcon } from '../../../ui/tasks/status-icon.tsx';
import { TaskLink } from '../../../ui/tasks/task-cells.tsx';
import { Ago } from '../../../ui/time/times.tsx';
import { stateText } from '../state-text.ts';
import { Vanished } from '../vanished.tsx';
import css from './host.module.css';
import { OUTCOMES } from './outcome.ts';
import { resultText } from './result-text.ts';
import { worstOf } from './worst-of.ts';

interface HostHeadProps {
  project: number;
  host: HostPage;
  named: readonly Pick<Template, 'id' | 'name'>[];
  /** Buttons. */
  children: ReactNode;
}

/** How the last run on the host ended: in which task, when and why. */
const LastRun = ({ project, host, named }: Omit<HostHeadProps, 'children'>) => {
  const { t } = useTranslation();
  const [last] = host.templates;
  if (!last) return <p className={css.last}>{t('hostPage.noTemplates')}</p>;
  const { colour, labelKey } = OUTCOMES[last.outcome];
  const reason = resultText(t, last);
  return (
    <p className={css.last}>
      <b className={colour}>{t(labelKey)}</b> {t('hostPage.in')}{' '}
      <Link
        to="/project/$projectId/templates/$templateId"
        params={{ projectId: project, templateId: last.template_id }}
        search={{}}
      >
        {named.find(({ id }) => id === last.template_id)?.name}
      </Link>{' '}
      {last.task_id === null ? null : <TaskLink id={last.task_id} />}
      {t('separator.comma')}
      <Ago at={last.time} />
      {reason === '' ? '' : ` · ${reason}`}
    </p>
  );
};

/** Name of the host, how its last run ended, and its buttons. */
export const HostHead = ({ project, host, named, children }: HostHeadProps) => {
  const { t } = useTranslation();
  useTitle(host.host);
  const worst = worstOf(host.templates);
  const style = worst.outcome === null ? undefined : OUTCOMES[worst.outcome];
  // The line of the last run shows this if there is only one template.
  const isKnown = worst.failed_count === 0 || worst.template_count === 1;
  return (
    <>
      <Breadcrumb>
        <Link to="/project/$projectId/hosts" params={{ projectId: project }} search={{}}>
          {t('hosts.title')}
        </Link>
      </Breadcrumb>
      <div className={css.head}>
        <span className={`${css.halo} ${style?.colour ?? 'wait'}`}>
          <StatusIcon colour={style?.colour ?? 'wait'} shape={style?.shape ?? 'dashed'} size={24} />
        </span>
        <div className={css.who}>
          <h1 className="mono">{host.host}</h1>
          {isKnown ? null : (
            <p className={`${css.last} ${style?.colour}`}>
              <b>{stateText(t, worst)}</b>
            </p>
          )}
          <LastRun project={project} host={host} named={named} />
          <Vanished since={host.vanished_since} />
        </div>
        <div className={css.actions}>{children}</div>
      </div>
    </>
  );
};
