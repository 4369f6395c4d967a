import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { taskSummaryQuery } from '../../api/run-queries.ts';
import { numberText } from '../../lang/locale.ts';
import css from './new-task.module.css';

/** Maximum number of hosts that are named; the text shows only the number of the others. */
const MAX_NAMED_HOSTS = 40;

export interface RetriedHostsProps {
  project: number;
  /** The id of the task whose hosts are run again. */
  task: number;
  limit: string;
}

/** The hosts of a limit that is a plain list of names; empty for any other pattern. */
export const hostsOfLimit = (limit: string): string[] => {
  const names = limit.split(',').filter((name) => name !== '');
  return names.every((name) => /^[\w.-]+$/.test(name) && name !== 'all') ? names : [];
};

/** Shows how many hosts of an earlier task are run again, and which ones. */
export const RetriedHosts = ({ project, task, limit }: RetriedHostsProps) => {
  const { t } = useTranslation();
  const { data: summary } = useQuery(taskSummaryQuery(project, task));
  const hosts = hostsOfLimit(limit);
  if (hosts.length === 0) return null;
  const more = hosts.length - MAX_NAMED_HOSTS;
  return (
    <div className={css.retried}>
      <p>
        {summary
          ? t('newTask.hostsOf', { count: summary.hosts.total, chosen: numberText(hosts.length), id: task })
          : t('host.runOn', { count: hosts.length, number: numberText(hosts.length) })}
      </p>
      <ul>
        {hosts.slice(0, MAX_NAMED_HOSTS).map((host) => (
          <li key={host}>{host}</li>
        ))}
        {more > 0 ? <li>{t('newTask.moreHosts', { count: more, number: numberText(more) })}</li> : null}
      </ul>
    </div>
  );
};
