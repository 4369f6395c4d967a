import { z } from 'zod';
import { Overview, Trends } from '../entities/overview.ts';
import { MomentText } from '../fields.ts';
import { member, route } from '../route.ts';
import { ProjectParams } from './params.ts';

export const getOverview = route({
  method: 'GET',
  path: '/project/{project_id}/overview',
  permission: member(),
  params: ProjectParams,
  query: z.object({
    since: MomentText.optional().describe('Count also the tasks since this time, such as the last visit of the user.'),
  }),
  shared: true,
  status: 200,
  answer: Overview,
  doc: 'What needs a person in a project: failures that are not fixed, templates that fail before they reach a host, and runners that are not connected.',
});

export const getTrends = route({
  method: 'GET',
  path: '/project/{project_id}/trends',
  permission: member(),
  params: ProjectParams,
  shared: true,
  status: 200,
  answer: Trends,
  doc: 'How the runs of a project went in the last 30 days: outcomes and commits by day, and templates whose outcome changes without a change of what they run.',
});
