import { useParams, useSearch } from '@tanstack/react-router';
import { Suspense } from 'react';
import { HistoryPage } from '../../features/tasks/history/history-page.tsx';
import type { HistoryState } from '../../features/tasks/history/history-state.ts';
import { lazyPart } from '../../ui/browser/lazy-part.ts';
import { DashboardTabs } from '../dashboard-tabs.tsx';
import type { HistorySearch } from '../search.ts';
import { useListUrl } from '../use-list-url.ts';

const FirstRunSteps = lazyPart(() => import('../../features/templates/first-run/first-run-steps.tsx'), 'FirstRunSteps');
const Charts = lazyPart(() => import('../../features/dashboard/charts/charts.tsx'), 'Charts');

export const HistoryRoute = () => {
  const { projectId } = useParams({ from: '/signed/project/$projectId' });
  const { q, sort, page, status, reason, template, user, days, from, to, filter }: HistorySearch = useSearch({
    strict: false,
  });
  return (
    <HistoryPage
      project={projectId}
      tabs={<DashboardTabs project={projectId} />}
      state={{ q, sort, page, status, reason, template, user, days, from, to, filter }}
      onState={useListUrl<HistoryState>()}
      charts={
        <Suspense>
          <Charts project={projectId} />
        </Suspense>
      }
      firstSteps={
        <Suspense>
          <FirstRunSteps project={projectId} />
        </Suspense>
      }
      key={projectId}
    />
  );
};
