import type { QueryClient } from '@tanstack/react-query';
import {
  environmentsQuery,
  inventoryQuery,
  outcomesQuery,
  repositoriesQuery,
  templateQuery,
  templatesQuery,
  templateTasksQuery,
  viewsQuery,
} from '../api/queries.ts';

/** Loads the data of the template list before it is shown. */
export const loadTemplates = (client: QueryClient, projectId: number): void => {
  void client.prefetchQuery(templatesQuery(projectId));
  void client.prefetchQuery(viewsQuery(projectId));
  void client.prefetchQuery(inventoryQuery(projectId));
  void client.prefetchQuery(environmentsQuery(projectId));
  void client.prefetchQuery(repositoriesQuery(projectId));
  void client.prefetchQuery(outcomesQuery(projectId));
};

/** Loads the data of one template before it is shown. */
export const loadTemplate = (client: QueryClient, projectId: number, templateId: number): void => {
  void client.prefetchQuery(templateQuery(projectId, templateId));
  void client.prefetchQuery(templateTasksQuery(projectId, templateId));
};
