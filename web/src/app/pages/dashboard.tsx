import type { Project } from '@signalbox/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { queryKey } from '../../api/keys.ts';
import { ActivityPage } from '../../features/dashboard/activity-page.tsx';
import { ProjectSettings } from '../../features/projects/project-settings.tsx';
import { StoragePage } from '../../features/storage/storage-page.tsx';
import type { PagedState } from '../../ui/lists/list-state.ts';
import { EmptyState, PageHeader } from '../../ui/page/page.tsx';
import { DashboardTabs } from '../dashboard-tabs.tsx';
import type { ListSearch } from '../search.ts';
import { useListUrl } from '../use-list-url.ts';

const useProject = (): number => useParams({ from: '/signed/project/$projectId' }).projectId;

export const ActivityRoute = () => {
  const project = useProject();
  const { q, sort, page }: ListSearch = useSearch({ strict: false });
  return (
    <ActivityPage
      key={project}
      project={project}
      tabs={<DashboardTabs project={project} />}
      state={{ q, sort, page }}
      onState={useListUrl<PagedState>()}
    />
  );
};

export const SettingsRoute = () => {
  const project = useProject();
  const navigate = useNavigate();
  const client = useQueryClient();
  const toFirst = (): Promise<void> => {
    const [first] = client.getQueryData<Project[]>(queryKey.projects) ?? [];
    return first === undefined
      ? navigate({ to: '/' })
      : navigate({ to: '/project/$projectId/history', params: { projectId: first.id }, search: {} });
  };
  return (
    <ProjectSettings key={project} project={project} tabs={<DashboardTabs project={project} />} onDeleted={toFirst} />
  );
};

export const StorageRoute = () => {
  const project = useProject();
  return <StoragePage key={project} project={project} tabs={<DashboardTabs project={project} />} />;
};

export const BillingRoute = () => {
  const { t } = useTranslation();
  const project = useProject();
  return (
    <>
      <PageHeader title={t('history.dashboard')} />
      <DashboardTabs project={project} />
      <EmptyState title={t('billing.title')} text={t('billing.soon')} />
    </>
  );
};
