import { z } from 'zod';
import { Event } from '../entities/project.ts';
import { IdText, pageQuery } from '../fields.ts';
import { member, route, signedIn } from '../route.ts';
import { sortedBy } from '../sorting.ts';
import { ProjectParams } from './params.ts';

const Sorted = sortedBy('created', 'username', 'description');
const Paged = Sorted.extend({
  ...pageQuery(1000),
  before: IdText.optional().describe('Only events older than the one with this id.'),
});

const Last = Sorted.extend(pageQuery(200));

export const listEvents = route({
  method: 'GET',
  path: '/project/{project_id}/events',
  permission: member(),
  params: ProjectParams,
  query: Paged,
  paged: true,
  status: 200,
  answer: z.array(Event),
  doc: 'The events of a project, newest first.',
});

export const listLastEvents = route({
  method: 'GET',
  path: '/project/{project_id}/events/last',
  permission: member(),
  params: ProjectParams,
  query: Last,
  paged: true,
  status: 200,
  answer: z.array(Event),
  doc: 'The newest 200 events of a project.',
});

export const listAllEvents = route({
  method: 'GET',
  path: '/events',
  permission: signedIn,
  query: Paged,
  paged: true,
  status: 200,
  answer: z.array(Event),
  doc: 'The events of the projects of the caller, newest first; all events for a system admin.',
});

export const listLastAllEvents = route({
  method: 'GET',
  path: '/events/last',
  permission: signedIn,
  query: Last,
  paged: true,
  status: 200,
  answer: z.array(Event),
  doc: 'The newest 200 events of the projects of the caller; of all projects for a system admin.',
});
