import { z } from 'zod';
import { Event, NewProject, NewView, OwnRole, Project, View } from '../entities/project.ts';
import { countText, IdText } from '../fields.ts';
import { member, projectCreator, route, signedIn } from '../route.ts';
import { ProjectParams } from './params.ts';

export const listProjects = route({
  method: 'GET',
  path: '/projects',
  permission: signedIn,
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
  doc: 'Makes a project owned by the caller, on request filled with a demo.',
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

export const getRole = route({
  method: 'GET',
  path: '/project/{project_id}/role',
  permission: member(),
  params: ProjectParams,
  status: 200,
  answer: OwnRole,
  doc: 'The role and the permission bits of the caller in a project.',
});

const EventsQuery = z.object({
  limit: countText(1, 1000).optional().describe('At most so many, the newest first.'),
  before: IdText.optional().describe('Only events older than the one with this id.'),
});

export const listEvents = route({
  method: 'GET',
  path: '/project/{project_id}/events',
  permission: member(),
  params: ProjectParams,
  query: EventsQuery,
  status: 200,
  answer: z.array(Event),
  doc: 'What happened in a project, newest first; 1,000 unless told.',
});

export const listLastEvents = route({
  method: 'GET',
  path: '/project/{project_id}/events/last',
  permission: member(),
  params: ProjectParams,
  status: 200,
  answer: z.array(Event),
  doc: 'The newest 200 events of a project.',
});

export const listViews = route({
  method: 'GET',
  path: '/project/{project_id}/views',
  permission: member(),
  params: ProjectParams,
  status: 200,
  answer: z.array(View),
  doc: 'The views (tabs of the template list) of a project, in their order.',
});

export const createView = route({
  method: 'POST',
  path: '/project/{project_id}/views',
  permission: member('manage_resources'),
  params: ProjectParams,
  body: NewView,
  status: 201,
  answer: View,
  errors: ['conflict'],
  doc: 'Adds a view to the template list of a project.',
});
