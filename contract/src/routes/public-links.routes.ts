import { z } from 'zod';
import { NewPublicLink, PublicLink } from '../entities/public-link.ts';
import { anyone, member, route } from '../route.ts';
import { LinkAddressParams, ProjectParams, TemplateParams } from './params.ts';

const FEED = '/project/{project_id}/feed';
const BADGE = '/project/{project_id}/templates/{template_id}/badge';

export const getFeedLink = route({
  method: 'GET',
  path: FEED,
  permission: member('update_project'),
  params: ProjectParams,
  status: 200,
  answer: PublicLink,
  doc: 'Whether the feed of a project has an address.',
});

export const createFeedLink = route({
  method: 'POST',
  path: FEED,
  permission: member('update_project'),
  params: ProjectParams,
  status: 201,
  answer: NewPublicLink,
  doc: 'Gives the feed of a project a new address. An old one stops working at once.',
});

export const deleteFeedLink = route({
  method: 'DELETE',
  path: FEED,
  permission: member('update_project'),
  params: ProjectParams,
  status: 204,
  answer: 'nothing',
  doc: 'Revokes the address of the feed of a project. Does nothing without one.',
});

export const getBadgeLink = route({
  method: 'GET',
  path: BADGE,
  permission: member('edit_templates', 'edit'),
  params: TemplateParams,
  status: 200,
  answer: PublicLink,
  doc: 'Whether the badge of a template has an address.',
});

export const createBadgeLink = route({
  method: 'POST',
  path: BADGE,
  permission: member('edit_templates', 'edit'),
  params: TemplateParams,
  status: 201,
  answer: NewPublicLink,
  errors: ['conflict'],
  doc: 'Gives the badge of a template a new address. An old one stops working at once. Refused for a restricted template.',
});

export const deleteBadgeLink = route({
  method: 'DELETE',
  path: BADGE,
  permission: member('edit_templates', 'edit'),
  params: TemplateParams,
  status: 204,
  answer: 'nothing',
  doc: 'Revokes the address of the badge of a template. Does nothing without one.',
});

export const readFeed = route({
  method: 'GET',
  path: '/feed/{link_token}',
  permission: anyone,
  params: LinkAddressParams,
  query: z.object({ only: z.enum(['failures']).optional().describe('Only failed tasks.') }),
  status: 200,
  answer: { stream: 'application/atom+xml' },
  errors: ['not_found', 'too_many'],
  doc: 'The last 50 tasks of a project that have ended, as an Atom feed. Tasks of restricted templates are left out.',
});

export const readBadge = route({
  method: 'GET',
  path: '/badge/{link_token}',
  permission: anyone,
  params: LinkAddressParams,
  status: 200,
  answer: { stream: 'image/svg+xml' },
  errors: ['not_found', 'too_many'],
  doc: 'How the last run of a template ended, as an SVG image. 404 for a restricted template.',
});
