import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../../api/api-error.ts';
import { hostFailuresQuery } from '../../../api/host-queries.ts';
import { numberText } from '../../../lang/locale.ts';
import { DialogLink } from '../../../ui/basics/links.tsx';
import { SkeletonRows } from '../../../ui/lists/skeleton-rows.tsx';
import table from '../../../ui/lists/table.module.css';
import { LoadError } from '../../../ui/page/load-error.tsx';
import { EmptyState } from '../../../ui/page/page.tsx';
import { failureText } from '../../../ui/tasks/failure-text.ts';
import { TaskLink } from '../../../ui/tasks/task-cells.tsx';
import { Ago } from '../../../ui/time/times.tsx';
import css from './host.module.css';

/** The failures that a host had in its kept runs, the last seen first. */
export const HostFailures = ({ project, host }: { project: number; host: number }) => {
  const { t } = useTranslation();
  const query = useQuery(hostFailuresQuery(project, host));
  if (query.error) return <LoadError text={errorText(query.error)} retry={() => void query.refetch()} />;
  if (query.data?.failures.length === 0)
    return <EmptyState title={t('hostPage.noFailures')} text={t('hostPage.noFailuresText')} />;
  return (
    <div className={table.scroll}>
      <table className={`${table.table} ${css.failures}`} aria-busy={query.isPending}>
        <thead>
          <tr>
            <th scope="col">{t('failures.failure')}</th>
            <th scope="col" className={`${css.count} ${table.num}`}>
              {t('hostPage.runsHere')}
            </th>
            <th scope="col" className={css.seen}>
              {t('hostPage.lastHere')}
            </th>
          </tr>
        </thead>
        <tbody>
          {query.isPending ? <SkeletonRows columns={3} rows={4} /> : null}
          {query.data?.failures.map(({ failure, runs, time, task_id, line }) => (
            <tr key={failure.id}>
              <th scope="row" className={css.failure}>
                <Link
                  className={table.name}
                  to="/project/$projectId/failures"
                  params={{ projectId: project }}
                  search={{ q: failure.title }}
                >
                  {failureText(t, failure)}
                </Link>
                <small>{failure.step}</small>
              </th>
              <td className={`${css.count} ${table.num}`}>{numberText(runs)}</td>
              <td>
                {task_id === null ? null : (
                  <>
                    <TaskLink id={task_id} />{' '}
                  </>
                )}
                <Ago at={time} />{' '}
                {task_id === null || line === 0 ? null : (
                  <DialogLink search={{ t: task_id, tab: 'log', line, with: undefined }}>
                    {t('summary.openLog', { line })}
                  </DialogLink>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};
