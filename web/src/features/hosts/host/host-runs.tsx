import type { Template } from '@signalbox/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../../api/api-error.ts';
import { HOST_RUNS_PAGE, hostRunsQuery } from '../../../api/host-queries.ts';
import { Pager } from '../../../ui/lists/pager.tsx';
import { SkeletonRows } from '../../../ui/lists/skeleton-rows.tsx';
import table from '../../../ui/lists/table.module.css';
import { LoadError } from '../../../ui/page/load-error.tsx';
import { Bar } from '../../../ui/page/page.tsx';
import { TaskLink } from '../../../ui/tasks/task-cells.tsx';
import { Ago } from '../../../ui/time/times.tsx';
import css from './host.module.css';
import { OutcomeLabel } from './outcome-label.tsx';

interface HostRunsProps {
  project: number;
  host: number;
  named: readonly Pick<Template, 'id' | 'name'>[];
}

const COUNTS = ['ok', 'changed', 'failures', 'skipped'] as const;
const LABELS = { ok: 'host.ok', changed: 'host.changed', failures: 'host.failed', skipped: 'host.skipped' } as const;

/** The kept runs on a host, the newest first. */
export const HostRuns = ({ project, host, named }: HostRunsProps) => {
  const { t } = useTranslation();
  const [page, setPage] = useState(0);
  const query = useQuery(hostRunsQuery(project, host, page));
  const { runs = [], total = 0 } = query.data ?? {};
  if (query.error) return <LoadError text={errorText(query.error)} retry={() => void query.refetch()} />;
  return (
    <>
      <Bar>
        <span className="muted">{t('hostPage.keptRuns')}</span>
        <Pager page={page} size={HOST_RUNS_PAGE} count={total} more={false} onPage={setPage} />
      </Bar>
      <div className={table.scroll}>
        <table className={`${table.table} ${css.runs}`} aria-busy={query.isPending}>
          <thead>
            <tr>
              <th scope="col" className={css.task}>
                {t('column.task')}
              </th>
              <th scope="col">{t('template.title')}</th>
              <th scope="col" className={css.status}>
                {t('column.status')}
              </th>
              {COUNTS.map((name) => (
                <th key={name} scope="col" className={`${css.count} ${table.num}`}>
                  {t(LABELS[name])}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {query.isPending ? <SkeletonRows columns={COUNTS.length + 3} rows={8} /> : null}
            {runs.map((run) => (
              <tr key={`${run.time}-${run.template_id}-${run.task_id}`}>
                <td>
                  {run.task_id === null ? null : <TaskLink id={run.task_id} />} <Ago at={run.time} />
                </td>
                <td>
                  <Link
                    to="/project/$projectId/templates/$templateId"
                    params={{ projectId: project, templateId: run.template_id }}
                    search={{}}
                  >
                    {named.find(({ id }) => id === run.template_id)?.name}
                  </Link>
                </td>
                <td>
                  <OutcomeLabel outcome={run.outcome} />
                </td>
                {COUNTS.map((name) => (
                  <td key={name} className={`${css.count} ${table.num}`}>
                    {run[name]}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
};
