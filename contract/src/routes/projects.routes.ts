import { z } from 'zod';
import { NewProject, Project, ProjectChange } from '../entities/project.ts';
import { OwnRole } from '../entities/role.ts';
import { member, projectCreator, route, signedIn } from '../route.ts';
import { sortedBy } from '../sorting.ts';
import { ProjectParams } from './params.ts';

export const listProjects = route({
  method: 'GET',
  path: '/projects',
  permission: signedIn,
  query: sortedBy('name', 'created'),
  status: 200,
  answer: z.array(Project),
  doc: 'The projects of the caller, by name; all projects for a system admin.',
});

export const createProject = route({
  method: 'POST',
  path: '/projects',
  permission: projectCreator,
  body: NewProject,
  status: 201,
  answer: Project,
  doc: 'Creates a project owned by the caller, optionally with demo content.',
});

export const getProject = route({
  method: 'GET',
  path: '/project/{project_id}',
  permission: member(),
  params: ProjectParams,
  status: 200,
  answer: Project,
  doc: 'One project.',
});

export const updateProject = route({
  method: 'PUT',
  path: '/project/{project_id}',
  permission: member('update_project'),
  params: ProjectParams,
  body: ProjectChange,
  status: 204,
  answer: 'nothing',
  doc: 'Changes a project.',
});

export const deleteProject = route({
  method: 'DELETE',
  path: '/project/{project_id}',
  permission: member('update_project'),
  params: ProjectParams,
  status: 204,
  answer: 'nothing',
  errors: ['conflict'],
  doc: 'Deletes a project with all of its content. Refused while one of its tasks is active.',
});

export const getRole = route({
  method: 'GET',
  path: '/project/{project_id}/role',
  permission: member(),
  params: ProjectParams,
  status: 200,
  answer: OwnRole,
  doc: 'The role and the permission bits of the caller in a project.',
});
