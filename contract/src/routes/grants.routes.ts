import { z } from 'zod';
import { Grant, GrantChange, MemberAccess, NewGrant, TemplateAccess } from '../entities/grant.ts';
import { member, route } from '../route.ts';
import { GrantParams, ProjectParams, ProjectUserParams, TemplateParams } from './params.ts';

const GRANTS = '/project/{project_id}/grants';

export const listGrants = route({
  method: 'GET',
  path: GRANTS,
  permission: member('manage_users'),
  params: ProjectParams,
  status: 200,
  answer: z.array(Grant),
  doc: 'The grants of a project, the oldest first.',
});

export const createGrant = route({
  method: 'POST',
  path: GRANTS,
  permission: member('manage_users'),
  params: ProjectParams,
  body: NewGrant,
  status: 201,
  answer: Grant,
  errors: ['conflict'],
  doc: 'Grants rights on a template, or on the templates of a view, to a user, a role or a group.',
});

export const getGrant = route({
  method: 'GET',
  path: `${GRANTS}/{grant_id}`,
  permission: member('manage_users'),
  params: GrantParams,
  status: 200,
  answer: Grant,
  doc: 'One grant.',
});

export const updateGrant = route({
  method: 'PUT',
  path: `${GRANTS}/{grant_id}`,
  permission: member('manage_users'),
  params: GrantParams,
  body: GrantChange,
  status: 204,
  answer: 'nothing',
  doc: 'Changes a grant. The change applies at once.',
});

export const deleteGrant = route({
  method: 'DELETE',
  path: `${GRANTS}/{grant_id}`,
  permission: member('manage_users'),
  params: GrantParams,
  status: 204,
  answer: 'nothing',
  doc: 'Takes the rights of a grant away.',
});

export const listAccessToTemplate = route({
  method: 'GET',
  path: '/project/{project_id}/templates/{template_id}/access',
  permission: member('manage_users'),
  params: TemplateParams,
  status: 200,
  answer: z.array(MemberAccess),
  doc: 'What each member may do with a template, and why.',
});

export const listAccessOfMember = route({
  method: 'GET',
  path: '/project/{project_id}/users/{user_id}/access',
  permission: member('manage_users'),
  params: ProjectUserParams,
  status: 200,
  answer: z.array(TemplateAccess),
  doc: 'What a member may do with each template, and why.',
});
