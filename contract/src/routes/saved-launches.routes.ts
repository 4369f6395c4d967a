import { z } from 'zod';
import { NewSavedLaunch, SavedLaunch, SavedLaunchChange, SavedLaunchCount } from '../entities/saved-launch.ts';
import { REFUSED_LAUNCH_VALUES } from '../refused-fields.ts';
import { member, route } from '../route.ts';
import { ProjectParams, SavedLaunchParams, TemplateParams } from './params.ts';

export const listSavedLaunches = route({
  method: 'GET',
  path: '/project/{project_id}/templates/{template_id}/launches',
  permission: member(),
  params: TemplateParams,
  status: 200,
  answer: z.array(SavedLaunch),
  doc: 'The saved launches of a template by name: those that are shared, and those of the caller.',
});

export const listSavedLaunchCounts = route({
  method: 'GET',
  path: '/project/{project_id}/launches',
  permission: member(),
  params: ProjectParams,
  status: 200,
  answer: z.array(SavedLaunchCount),
  doc: 'The templates of a project that have saved launches, with the number of those that the caller sees.',
});

export const createSavedLaunch = route({
  method: 'POST',
  path: '/project/{project_id}/templates/{template_id}/launches',
  permission: member('run_tasks', 'run'),
  callKind: 'everything',
  params: TemplateParams,
  body: NewSavedLaunch,
  refuses: REFUSED_LAUNCH_VALUES,
  status: 201,
  answer: SavedLaunch,
  errors: ['conflict'],
  doc: 'Saves values with which tasks of a template can be started. A shared one needs the right to edit templates.',
});

export const getSavedLaunch = route({
  method: 'GET',
  path: '/project/{project_id}/templates/{template_id}/launches/{launch_id}',
  permission: member(),
  params: SavedLaunchParams,
  status: 200,
  answer: SavedLaunch,
  doc: 'One saved launch.',
});

export const updateSavedLaunch = route({
  method: 'PUT',
  path: '/project/{project_id}/templates/{template_id}/launches/{launch_id}',
  permission: member('run_tasks', 'run'),
  callKind: 'everything',
  params: SavedLaunchParams,
  body: SavedLaunchChange,
  refuses: REFUSED_LAUNCH_VALUES,
  status: 204,
  answer: 'nothing',
  errors: ['conflict', 'in_use'],
  doc: 'Changes a saved launch, also for the schedules that start with it. One that is or becomes shared needs the right to edit templates.',
});

export const deleteSavedLaunch = route({
  method: 'DELETE',
  path: '/project/{project_id}/templates/{template_id}/launches/{launch_id}',
  permission: member('run_tasks', 'run'),
  callKind: 'everything',
  params: SavedLaunchParams,
  status: 204,
  answer: 'nothing',
  errors: ['in_use'],
  doc: 'Deletes a saved launch. Refused while a schedule starts with it. A shared one needs the right to edit templates.',
});
