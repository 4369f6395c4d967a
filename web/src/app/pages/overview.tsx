import { useNavigate, useParams } from '@tanstack/react-router';
import { Suspense } from 'react';
import { OverviewPage } from '../../features/dashboard/overview/overview-page.tsx';
import { FailureAssignment } from '../../features/failures/failure-assignment.tsx';
import { RunOnFailure } from '../../features/tasks/failures/run-on-failure.tsx';
import { lazyPart } from '../../ui/browser/lazy-part.ts';
import { DashboardTabs } from '../dashboard-tabs.tsx';

const FirstRunSteps = lazyPart(() => import('../../features/templates/first-run/first-run-steps.tsx'), 'FirstRunSteps');
const Charts = lazyPart(() => import('../../features/dashboard/charts/charts.tsx'), 'Charts');

/** Number of days that the charts cover. */
const DAYS = 30;

export const OverviewRoute = () => {
  const { projectId } = useParams({ from: '/signed/project/$projectId' });
  const navigate = useNavigate();
  return (
    <OverviewPage
      key={projectId}
      project={projectId}
      tabs={<DashboardTabs project={projectId} />}
      charts={
        <Suspense>
          <Charts project={projectId} days={DAYS} />
        </Suspense>
      }
      firstSteps={
        <Suspense>
          <FirstRunSteps project={projectId} />
        </Suspense>
      }
      assign={(failure) => (
        <FailureAssignment
          project={projectId}
          failure={failure.id}
          described={failure}
          assignment={failure.remark.assignment}
        />
      )}
      runOn={(failure) => (
        <RunOnFailure
          failure={failure}
          onRun={(again, limit) =>
            void navigate({
              to: '.',
              search: (search) => ({ ...search, run: failure.template_id, again, limit }),
              resetScroll: false,
            })
          }
        />
      )}
    />
  );
};
