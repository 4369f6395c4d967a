import type { FailureCluster } from '@signalbox/contract';
import { useTranslation } from 'react-i18next';
import { dayText, numberText } from '../../../lang/locale.ts';
import { TaskLink } from '../../../ui/tasks/task-cells.tsx';
import css from './clusters.module.css';

/** How often a failure was seen before, and which task ended it last. */
export const ClusterSeen = ({ task, seen }: { task: number; seen: FailureCluster['seen'] }) => {
  const { t } = useTranslation();
  if (seen === null) return null;
  const { times, since, first_task_id: first, fixed_by: fixed } = seen;
  if (times <= 1 && (first === null || first === task)) return <p className="muted">{t('cluster.firstTime')}</p>;
  return (
    <p className={css.seen}>
      {t('cluster.seen', { count: times, number: numberText(times), day: dayText(new Date(since)) })}
      {first === null ? null : (
        <>
          {' ('}
          <TaskLink id={first} />)
        </>
      )}
      {fixed === null ? null : (
        <>
          {t('separator.comma')}
          {t('cluster.fixedBy')} <TaskLink id={fixed} />
        </>
      )}
    </p>
  );
};
