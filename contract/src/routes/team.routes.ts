import { z } from 'zod';
import { NewProjectUser, ProjectUser, ProjectUserChange } from '../entities/role.ts';
import { member, route } from '../route.ts';
import { sortedBy } from '../sorting.ts';
import { ProjectParams, ProjectUserParams } from './params.ts';

export const listProjectUsers = route({
  method: 'GET',
  path: '/project/{project_id}/users',
  permission: member(),
  params: ProjectParams,
  query: sortedBy('name', 'username', 'role'),
  status: 200,
  answer: z.array(ProjectUser),
  doc: 'The members of a project by name, with their roles.',
});

export const addProjectUser = route({
  method: 'POST',
  path: '/project/{project_id}/users',
  permission: member('manage_users'),
  params: ProjectParams,
  body: NewProjectUser,
  status: 204,
  answer: 'nothing',
  errors: ['conflict'],
  doc: 'Adds a user to a project.',
});

export const getProjectUser = route({
  method: 'GET',
  path: '/project/{project_id}/users/{user_id}',
  permission: member('manage_users'),
  params: ProjectUserParams,
  status: 200,
  answer: ProjectUser,
  doc: 'One member of a project.',
});

export const updateProjectUser = route({
  method: 'PUT',
  path: '/project/{project_id}/users/{user_id}',
  permission: member('manage_users'),
  params: ProjectUserParams,
  body: ProjectUserChange,
  status: 204,
  answer: 'nothing',
  errors: ['conflict'],
  doc: 'Changes the role of a member. A project keeps at least one owner.',
});

export const removeProjectUser = route({
  method: 'DELETE',
  path: '/project/{project_id}/users/{user_id}',
  permission: member('manage_users'),
  params: ProjectUserParams,
  status: 204,
  answer: 'nothing',
  errors: ['conflict'],
  doc: 'Removes a member from a project. A project keeps at least one owner.',
});

export const leaveProject = route({
  method: 'DELETE',
  path: '/project/{project_id}/me',
  permission: member(),
  params: ProjectParams,
  status: 204,
  answer: 'nothing',
  errors: ['conflict'],
  doc: "Removes the caller from a project. Owners can't leave.",
});
