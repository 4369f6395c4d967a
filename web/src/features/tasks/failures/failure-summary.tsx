import type { Task } from '@signalbox/contract';
import { failuresText, type MakeText } from '@signalbox/lang';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { clustersQuery } from '../../../api/run-queries.ts';
import { failureCauses } from '../../../lang/failure-causes.ts';
import { badHostCount, type Run } from '../results/run-model.ts';

/** Number of clusters that are loaded at first, and that are named in one line. */
export const FIRST_CLUSTERS = 20;
const NAMED = 3;

const make: MakeText = (message) => failureCauses.own(message, '') || undefined;

export interface FailureSummaryProps {
  task: Task;
  run: Run;
  /** Shown without failures, and until they are loaded. */
  otherwise: ReactNode;
  className?: string | undefined;
}

/** The largest failures of a task in one line, such as `31 hosts: apt is locked by another process`. */
export const FailureSummary = ({ task, run, otherwise, className }: FailureSummaryProps) => {
  const version = `${badHostCount(run)} ${task.status}`;
  const { data } = useQuery(clustersQuery(task.project_id, task.id, { limit: FIRST_CLUSTERS, version }));
  if (!data || data.clusters.length === 0) return otherwise;
  const text = failuresText(make, data.clusters.slice(0, NAMED), data.total);
  return (
    <span className={className} title={text}>
      {text}
    </span>
  );
};
