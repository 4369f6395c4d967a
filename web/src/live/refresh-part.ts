import type { ChangedPart, InstallationPart, LiveMessage } from '@signalbox/contract';
import type { QueryClient, QueryKey } from '@tanstack/react-query';
import { queryKey } from '../api/keys.ts';

/** What the page may have loaded of each part of a project. */
const LOADED: Readonly<Record<ChangedPart, (project: number) => readonly QueryKey[]>> = {
  project: () => [queryKey.projects],
  users: (project) => [queryKey.team(project), queryKey.role(project)],
  keys: (project) => [queryKey.resources(project, 'keys')],
  repositories: (project) => [queryKey.resources(project, 'repositories')],
  inventory: (project) => [queryKey.resources(project, 'inventory')],
  environment: (project) => [queryKey.resources(project, 'environment')],
  templates: (project) => [queryKey.templates(project), queryKey.anyTemplate(project)],
  schedules: (project) => [queryKey.anySchedules(project)],
  views: (project) => [queryKey.views(project), queryKey.templates(project)],
  // Task updates arrive as messages of their own; only deletions do not.
  tasks: (project) => [queryKey.outcomes(project)],
  hosts: (project) => [queryKey.hosts(project)],
  alerts: (project) => [queryKey.alertReceivers(project), queryKey.alertDeliveries(project)],
};

/** Asks again for what somebody has changed, as far as it is shown; the rest is asked for when it is. */
export const refreshPart = (
  client: QueryClient,
  { project_id: project, part }: Extract<LiveMessage, { type: 'changed' }>,
): void => {
  const keys = [...LOADED[part](project), queryKey.events(project)];
  for (const key of keys) void client.invalidateQueries({ queryKey: key });
};

const OF_INSTALLATION: Readonly<Record<InstallationPart, QueryKey>> = {
  users: queryKey.users,
  runners: queryKey.runners,
  projects: queryKey.projects,
};

/** Asks again for a part of the installation, as far as it is shown. */
export const refreshInstallation = (
  client: QueryClient,
  { part }: Extract<LiveMessage, { type: 'installation' }>,
): void => void client.invalidateQueries({ queryKey: OF_INSTALLATION[part] });
