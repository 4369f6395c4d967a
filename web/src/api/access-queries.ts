import { queryOptions } from '@tanstack/react-query';
import { call } from './call.ts';
import { queryKey } from './keys.ts';

/** Milliseconds for which roles count as fresh. A live message about a change refetches them sooner. */
const ROLES_STALE = 60_000;

export const grantsQuery = (project_id: number) =>
  queryOptions({
    queryKey: queryKey.grantList(project_id),
    queryFn: ({ signal }) => call('listGrants', { params: { project_id }, signal }),
  });

export const memberAccessQuery = (project_id: number, template_id: number) =>
  queryOptions({
    queryKey: queryKey.templateAccess(project_id, template_id),
    queryFn: ({ signal }) => call('listAccessToTemplate', { params: { project_id, template_id }, signal }),
  });

export const memberTemplatesQuery = (project_id: number, user_id: number) =>
  queryOptions({
    queryKey: queryKey.memberAccess(project_id, user_id),
    queryFn: ({ signal }) => call('listAccessOfMember', { params: { project_id, user_id }, signal }),
  });

export const systemRolesQuery = () =>
  queryOptions({ queryKey: queryKey.systemRoles, queryFn: ({ signal }) => call('listSystemRoles', { signal }) });

export const rolesQuery = (project_id: number) =>
  queryOptions({
    queryKey: queryKey.roles(project_id),
    queryFn: ({ signal }) => call('listRoles', { params: { project_id }, signal }),
    staleTime: ROLES_STALE,
  });
