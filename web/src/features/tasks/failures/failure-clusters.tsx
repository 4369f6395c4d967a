import type { Task } from '@signalbox/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../../api/api-error.ts';
import { roleQuery } from '../../../api/queries.ts';
import { clustersQuery } from '../../../api/run-queries.ts';
import { mayDo, mayWith } from '../../../ui/access/permissions.ts';
import { Button } from '../../../ui/basics/button.tsx';
import { LoadError } from '../../../ui/page/load-error.tsx';
import type { LogSource } from '../log/log-source.ts';
import { badHostCount, type Run } from '../results/run-model.ts';
import { ClusterItem } from './cluster-item.tsx';
import { FIRST_CLUSTERS } from './failure-summary.tsx';

export interface FailureClustersProps {
  task: Task;
  run: Run;
  log: LogSource;
  onLine: (line: number) => void;
  /** Opens the new task dialog for some hosts. Undefined for a task that still runs. */
  onRunOn: ((limit: string) => void) | undefined;
}

/** The failures of a task: one entry for all hosts with the same failure, the most hosts first. */
export const FailureClusters = ({ task, run, log, onLine, onRunOn }: FailureClustersProps) => {
  const { t } = useTranslation();
  const [limit, setLimit] = useState(FIRST_CLUSTERS);
  const { project_id, id } = task;
  const query = useQuery(clustersQuery(project_id, id, { limit, version: `${badHostCount(run)} ${task.status}` }));
  const { data: role } = useQuery(roleQuery(project_id));
  if (query.error && !query.data) return <LoadError text={errorText(query.error)} retry={() => void query.refetch()} />;
  const { clusters = [], total = 0 } = query.data ?? {};
  return (
    <>
      {clusters.map((cluster) => (
        <ClusterItem
          key={cluster.fingerprint}
          task={task}
          cluster={cluster}
          log={log}
          mayWrite={mayDo(role, 'run_tasks')}
          onLine={onLine}
          onRunOn={mayWith(role, task.template_id, 'run') ? onRunOn : undefined}
        />
      ))}
      {total > clusters.length && clusters.length > 0 ? (
        <Button small variant="quiet" busy={query.isFetching} onClick={() => setLimit(total)}>
          {t('cluster.more', { count: total - clusters.length })}
        </Button>
      ) : null}
    </>
  );
};
