import { z } from 'zod';
import { NewView, View, ViewChange, ViewPositions } from '../entities/project.ts';
import { member, route } from '../route.ts';
import { sortedBy } from '../sorting.ts';
import { ProjectParams, ViewParams } from './params.ts';

export const listViews = route({
  method: 'GET',
  path: '/project/{project_id}/views',
  permission: member(),
  params: ProjectParams,
  query: sortedBy('position', 'title'),
  status: 200,
  answer: z.array(View),
  doc: 'The views (tabs of the template list) of a project, in their order.',
});

export const createView = route({
  method: 'POST',
  path: '/project/{project_id}/views',
  permission: member('edit_templates'),
  params: ProjectParams,
  body: NewView,
  status: 201,
  answer: View,
  errors: ['conflict'],
  doc: 'Creates a view of the template list.',
});

export const getView = route({
  method: 'GET',
  path: '/project/{project_id}/views/{view_id}',
  permission: member(),
  params: ViewParams,
  status: 200,
  answer: View,
  doc: 'One view.',
});

export const updateView = route({
  method: 'PUT',
  path: '/project/{project_id}/views/{view_id}',
  permission: member('edit_templates'),
  params: ViewParams,
  body: ViewChange,
  status: 204,
  answer: 'nothing',
  errors: ['conflict'],
  doc: 'Changes a view.',
});

export const deleteView = route({
  method: 'DELETE',
  path: '/project/{project_id}/views/{view_id}',
  permission: member('edit_templates'),
  params: ViewParams,
  status: 204,
  answer: 'nothing',
  doc: 'Deletes a view. Its templates are kept.',
});

export const placeViews = route({
  method: 'POST',
  path: '/project/{project_id}/views/positions',
  permission: member('edit_templates'),
  params: ProjectParams,
  body: ViewPositions,
  status: 204,
  answer: 'nothing',
  doc: 'Sets the positions of views, by id.',
});
