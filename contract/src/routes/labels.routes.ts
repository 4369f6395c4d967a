import { z } from 'zod';
import { Label, LabelChange, NewLabel } from '../entities/label.ts';
import { member, route } from '../route.ts';
import { sortedBy } from '../sorting.ts';
import { LabelParams, ProjectParams } from './params.ts';

export const listLabels = route({
  method: 'GET',
  path: '/project/{project_id}/labels',
  permission: member(),
  params: ProjectParams,
  query: sortedBy('name', 'colour'),
  status: 200,
  answer: z.array(Label),
  doc: 'The labels of a project by name.',
});

export const createLabel = route({
  method: 'POST',
  path: '/project/{project_id}/labels',
  permission: member('edit_templates'),
  params: ProjectParams,
  body: NewLabel,
  status: 201,
  answer: Label,
  errors: ['conflict'],
  doc: 'Creates a label for templates.',
});

export const getLabel = route({
  method: 'GET',
  path: '/project/{project_id}/labels/{label_id}',
  permission: member(),
  params: LabelParams,
  status: 200,
  answer: Label,
  doc: 'One label.',
});

export const updateLabel = route({
  method: 'PUT',
  path: '/project/{project_id}/labels/{label_id}',
  permission: member('edit_templates'),
  params: LabelParams,
  body: LabelChange,
  status: 204,
  answer: 'nothing',
  errors: ['conflict'],
  doc: 'Changes the name or the colour of a label.',
});

export const deleteLabel = route({
  method: 'DELETE',
  path: '/project/{project_id}/labels/{label_id}',
  permission: member('edit_templates'),
  params: LabelParams,
  status: 204,
  answer: 'nothing',
  doc: 'Deletes a label. Its templates are kept.',
});
