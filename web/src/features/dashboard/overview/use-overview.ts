import type { ActiveTask, Overview, Schedule } from '@signalbox/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { activeTasksQuery, overviewQuery, projectSchedulesQuery } from '../../../api/queries.ts';
import { storage } from '../../../ui/browser/storage.ts';
import { isUnanswered } from '../../../ui/time/unanswered.ts';

/** Two visits within this time are one. */
const VISIT_MS = 30 * 60_000;

/** When the user was on the overview before; undefined for the first time, and within one visit. */
export const useLastVisit = (project: number): string | undefined => {
  const [before] = useState(() => {
    const stored = storage.lastVisit(project);
    return stored !== undefined && Date.now() - stored > VISIT_MS ? new Date(stored).toISOString() : undefined;
  });
  useEffect(() => storage.setLastVisit(project, Date.now()), [project]);
  return before;
};

/** What the overview shows, and what of it needs a person. */
export interface Needs {
  readonly overview: Overview;
  readonly running: readonly ActiveTask[];
  /** Tasks that wait, and for no approval. */
  readonly waiting: readonly ActiveTask[];
  readonly approvals: readonly ActiveTask[];
  readonly notStarted: readonly Schedule[];
}

const needsApproval = ({ status, approval_state }: ActiveTask): boolean =>
  status === 'waiting' && approval_state === 'pending';

/** Loads everything that may need a person. `data` is undefined until all of it has loaded. */
export const useNeeds = (
  project: number,
  since: string | undefined,
): { data: Needs | undefined; error: Error | null; retry: () => void } => {
  const overview = useQuery(overviewQuery(project, since));
  const active = useQuery(activeTasksQuery());
  const schedules = useQuery(projectSchedulesQuery(project));
  const queries = [overview, active, schedules];
  const own = active.data?.filter(({ project_id }) => project_id === project);
  const unheld = own?.filter((task) => !needsApproval(task)).toSorted((a, b) => a.id - b.id) ?? [];
  const data =
    overview.data && own && schedules.data
      ? {
          overview: overview.data,
          running: unheld.filter(({ status }) => status !== 'waiting'),
          waiting: unheld.filter(({ status }) => status === 'waiting'),
          approvals: own.filter(needsApproval),
          notStarted: schedules.data.filter((one) => one.problem !== null || isUnanswered(one)),
        }
      : undefined;
  return {
    data,
    error: queries.find(({ error, data: loaded }) => error !== null && loaded === undefined)?.error ?? null,
    retry: () => {
      for (const query of queries) if (query.error) void query.refetch();
    },
  };
};
