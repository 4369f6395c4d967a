import { z } from 'zod';
import { NewSavedFilter, SavedFilter, SavedFilterChange } from '../entities/saved-filter.ts';
import { member, route } from '../route.ts';
import { ProjectParams, SavedFilterParams } from './params.ts';

export const listSavedFilters = route({
  method: 'GET',
  path: '/project/{project_id}/filters',
  permission: member(),
  params: ProjectParams,
  status: 200,
  answer: z.array(SavedFilter),
  doc: 'The saved filters of the history of a project by name: those that are shared, and those of the caller. Filters for a template that the caller cannot see are omitted.',
});

export const createSavedFilter = route({
  method: 'POST',
  path: '/project/{project_id}/filters',
  permission: member(),
  params: ProjectParams,
  body: NewSavedFilter,
  status: 201,
  answer: SavedFilter,
  errors: ['conflict'],
  doc: 'Saves a filter of the history. A shared one needs the right to edit templates.',
});

export const getSavedFilter = route({
  method: 'GET',
  path: '/project/{project_id}/filters/{saved_filter_id}',
  permission: member(),
  params: SavedFilterParams,
  status: 200,
  answer: SavedFilter,
  doc: 'One saved filter.',
});

export const updateSavedFilter = route({
  method: 'PUT',
  path: '/project/{project_id}/filters/{saved_filter_id}',
  permission: member(),
  params: SavedFilterParams,
  body: SavedFilterChange,
  status: 204,
  answer: 'nothing',
  errors: ['conflict'],
  doc: 'Changes a saved filter. One that is or becomes shared needs the right to edit templates.',
});

export const deleteSavedFilter = route({
  method: 'DELETE',
  path: '/project/{project_id}/filters/{saved_filter_id}',
  permission: member(),
  params: SavedFilterParams,
  status: 204,
  answer: 'nothing',
  doc: 'Deletes a saved filter. A shared one needs the right to edit templates.',
});
