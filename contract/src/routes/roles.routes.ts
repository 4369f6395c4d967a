import { z } from 'zod';
import { CustomRole, NewRole, RoleChange, RoleChoice } from '../entities/role.ts';
import { admin, member, route } from '../route.ts';
import { ProjectParams, ProjectRoleParams, RoleParams } from './params.ts';

const PROJECT_ROLES = '/project/{project_id}/roles';

export const listRoles = route({
  method: 'GET',
  path: PROJECT_ROLES,
  permission: member(),
  params: ProjectParams,
  status: 200,
  answer: z.array(RoleChoice),
  doc: 'The roles that a project member can have: the fixed ones, those of the system and those of the project.',
});

export const createRole = route({
  method: 'POST',
  path: PROJECT_ROLES,
  permission: member('manage_users'),
  params: ProjectParams,
  body: NewRole,
  status: 201,
  answer: CustomRole,
  errors: ['conflict'],
  doc: 'Creates a role of the project.',
});

export const getCustomRole = route({
  method: 'GET',
  path: `${PROJECT_ROLES}/{role_id}`,
  permission: member(),
  params: ProjectRoleParams,
  status: 200,
  answer: CustomRole,
  doc: 'One role of the project.',
});

export const updateRole = route({
  method: 'PUT',
  path: `${PROJECT_ROLES}/{role_id}`,
  permission: member('manage_users'),
  params: ProjectRoleParams,
  body: RoleChange,
  status: 204,
  answer: 'nothing',
  errors: ['conflict'],
  doc: 'Changes a role of the project. Members with the role have its new rights at once.',
});

export const deleteRole = route({
  method: 'DELETE',
  path: `${PROJECT_ROLES}/{role_id}`,
  permission: member('manage_users'),
  params: ProjectRoleParams,
  status: 204,
  answer: 'nothing',
  errors: ['in_use'],
  doc: 'Deletes a role of the project that no member has.',
});

export const listSystemRoles = route({
  method: 'GET',
  path: '/roles',
  permission: admin,
  status: 200,
  answer: z.array(RoleChoice),
  doc: 'The roles that members of every project can have: the fixed ones and those of the system.',
});

export const createSystemRole = route({
  method: 'POST',
  path: '/roles',
  permission: admin,
  body: NewRole,
  status: 201,
  answer: CustomRole,
  errors: ['conflict'],
  doc: 'Creates a role of the system.',
});

export const getSystemRole = route({
  method: 'GET',
  path: '/roles/{role_id}',
  permission: admin,
  params: RoleParams,
  status: 200,
  answer: CustomRole,
  doc: 'One role of the system.',
});

export const updateSystemRole = route({
  method: 'PUT',
  path: '/roles/{role_id}',
  permission: admin,
  params: RoleParams,
  body: RoleChange,
  status: 204,
  answer: 'nothing',
  errors: ['conflict'],
  doc: 'Changes a role of the system. Members with the role have its new rights at once.',
});

export const deleteSystemRole = route({
  method: 'DELETE',
  path: '/roles/{role_id}',
  permission: admin,
  params: RoleParams,
  status: 204,
  answer: 'nothing',
  errors: ['in_use'],
  doc: 'Deletes a role of the system that no member of a project has.',
});
