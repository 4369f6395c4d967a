import type { QueryClient } from '@tanstack/react-query';
import { rolesQuery } from '../api/access-queries.ts';
import { hostQuery } from '../api/host-queries.ts';
import {
  activeTasksQuery,
  allSchedulesQuery,
  failuresQuery,
  inventoryQuery,
  keysQuery,
  playbooksQuery,
  projectSchedulesQuery,
  repositoriesQuery,
  scheduleOutcomesQuery,
  teamQuery,
  templatesQuery,
  webhooksQuery,
} from '../api/queries.ts';

interface Loading {
  readonly context: { readonly client: QueryClient };
}

interface ProjectLoading extends Loading {
  readonly params: { readonly projectId: number };
}

// Each loads the data of a list before the list is shown.

export const loadSchedules = ({ context: { client }, params: { projectId } }: ProjectLoading): void => {
  void client.prefetchQuery(projectSchedulesQuery(projectId));
  void client.prefetchQuery(templatesQuery(projectId));
  void client.prefetchQuery(scheduleOutcomesQuery(projectId));
};

export const loadWebhooks = ({ context: { client }, params: { projectId } }: ProjectLoading): void => {
  void client.prefetchQuery(webhooksQuery(projectId));
  void client.prefetchQuery(templatesQuery(projectId));
};

export const loadFailures = ({ context: { client }, params: { projectId } }: ProjectLoading): void => {
  void client.prefetchQuery(failuresQuery(projectId));
  void client.prefetchQuery(templatesQuery(projectId));
};

export const loadOverview = ({ context: { client }, params: { projectId } }: ProjectLoading): void => {
  void client.prefetchQuery(activeTasksQuery());
  void client.prefetchQuery(projectSchedulesQuery(projectId));
  void client.prefetchQuery(templatesQuery(projectId));
};

export const loadAllSchedules = ({ context: { client } }: Loading): void =>
  void client.prefetchQuery(allSchedulesQuery());

export const loadActiveTasks = ({ context: { client } }: Loading): void =>
  void client.prefetchQuery(activeTasksQuery());

export const loadInventory = ({ context: { client }, params: { projectId } }: ProjectLoading): void => {
  void client.prefetchQuery(inventoryQuery(projectId));
  void client.prefetchQuery(keysQuery(projectId));
};

export const loadRepositories = ({ context: { client }, params: { projectId } }: ProjectLoading): void => {
  void client.prefetchQuery(repositoriesQuery(projectId));
  void client.prefetchQuery(keysQuery(projectId));
};

interface PlaybooksLoading extends Loading {
  readonly params: { readonly projectId: number; readonly repositoryId: number };
}

export const loadPlaybooks = ({ context: { client }, params: { projectId, repositoryId } }: PlaybooksLoading): void => {
  void client.prefetchQuery(repositoriesQuery(projectId));
  void client.prefetchQuery(templatesQuery(projectId));
  void client.prefetchQuery(playbooksQuery(projectId, repositoryId));
};

export const loadTeam = ({ context: { client }, params: { projectId } }: ProjectLoading): void => {
  void client.prefetchQuery(teamQuery(projectId));
  void client.prefetchQuery(rolesQuery(projectId));
};

interface HostLoading extends Loading {
  readonly params: { readonly projectId: number; readonly hostId: number };
}

export const loadHost = ({ context: { client }, params: { projectId, hostId } }: HostLoading): void => {
  void client.prefetchQuery(hostQuery(projectId, hostId));
  void client.prefetchQuery(templatesQuery(projectId));
};
