import type { ChangedPart, InstallationPart, LiveMessage } from '@signalbox/contract';
import type { QueryClient, QueryKey } from '@tanstack/react-query';
import { queryKey } from '../api/keys.ts';
import { refetch } from './refetch.ts';

/** Query keys of each part of a project. */
const LOADED: Readonly<Record<ChangedPart, (project: number) => readonly QueryKey[]>> = {
  project: () => [queryKey.projects],
  users: (project) => [queryKey.team(project), queryKey.role(project), queryKey.savedFilters(project)],
  roles: (project) => [queryKey.roles(project), queryKey.role(project)],
  grants: (project) => [
    queryKey.grants(project),
    queryKey.role(project),
    queryKey.templates(project),
    queryKey.savedFilters(project),
  ],
  keys: (project) => [queryKey.resources(project, 'keys')],
  repositories: (project) => [queryKey.resources(project, 'repositories')],
  inventory: (project) => [queryKey.resources(project, 'inventory')],
  environment: (project) => [queryKey.resources(project, 'environment')],
  // A filter for a template is deleted or hidden with it.
  templates: (project) => [queryKey.templates(project), queryKey.anyTemplate(project), queryKey.savedFilters(project)],
  schedules: (project) => [queryKey.anySchedules(project)],
  webhooks: (project) => [queryKey.webhooks(project)],
  views: (project) => [queryKey.views(project), queryKey.templates(project), queryKey.savedFilters(project)],
  labels: (project) => [queryKey.labels(project), queryKey.templates(project), queryKey.anyTemplate(project)],
  freeze_windows: (project) => [queryKey.freezeWindows(project), queryKey.anySchedules(project)],
  filters: (project) => [queryKey.savedFilters(project)],
  // Task updates have their own messages; only deletions use this one.
  tasks: (project) => [queryKey.outcomes(project), queryKey.overview(project)],
  hosts: (project) => [queryKey.hosts(project)],
  failures: (project) => [queryKey.failures(project), queryKey.overview(project)],
  alerts: (project) => [queryKey.alertReceivers(project), queryKey.alertDeliveries(project)],
};

/** Refetches a changed part of a project if it is shown. Other queries are marked as out of date. */
export const refreshPart = (
  client: QueryClient,
  { project_id: project, part }: Extract<LiveMessage, { type: 'changed' }>,
): void => {
  const keys = [...LOADED[part](project), queryKey.events(project)];
  for (const key of keys) void refetch(client, { queryKey: key });
};

const OF_INSTALLATION: Readonly<Record<InstallationPart, QueryKey>> = {
  users: queryKey.users,
  roles: queryKey.systemRoles,
  runners: queryKey.runners,
  projects: queryKey.projects,
  tokens: queryKey.tokens,
};

/** Refetches a changed part of the installation if it is shown. */
export const refreshInstallation = (
  client: QueryClient,
  { part }: Extract<LiveMessage, { type: 'installation' }>,
): void => void refetch(client, { queryKey: OF_INSTALLATION[part] });
