import { z } from 'zod';
import { FreezeWindow, FreezeWindowChange, NewFreezeWindow } from '../entities/freeze-window.ts';
import { member, route } from '../route.ts';
import { sortedBy } from '../sorting.ts';
import { FreezeWindowParams, ProjectParams } from './params.ts';

export const listFreezeWindows = route({
  method: 'GET',
  path: '/project/{project_id}/freeze_windows',
  permission: member(),
  params: ProjectParams,
  query: sortedBy('name'),
  status: 200,
  answer: z.array(FreezeWindow),
  doc: 'The freeze windows of a project by name, each with its current or next time.',
});

export const createFreezeWindow = route({
  method: 'POST',
  path: '/project/{project_id}/freeze_windows',
  permission: member('edit_schedules'),
  params: ProjectParams,
  body: NewFreezeWindow,
  status: 201,
  answer: FreezeWindow,
  errors: ['conflict'],
  doc: 'Creates a window in which tasks are not started: once with `starts_at` and `ends_at`, or repeating with `cron_format` and `duration_seconds`. It freezes one template, one inventory, one label or the whole project.',
});

export const getFreezeWindow = route({
  method: 'GET',
  path: '/project/{project_id}/freeze_windows/{freeze_window_id}',
  permission: member(),
  params: FreezeWindowParams,
  status: 200,
  answer: FreezeWindow,
  changedByRuns: ['current'],
  doc: 'One freeze window.',
});

export const updateFreezeWindow = route({
  method: 'PUT',
  path: '/project/{project_id}/freeze_windows/{freeze_window_id}',
  permission: member('edit_schedules'),
  params: FreezeWindowParams,
  body: FreezeWindowChange,
  status: 204,
  answer: 'nothing',
  errors: ['conflict'],
  doc: 'Changes a freeze window. Held runs follow: a shorter window starts them earlier.',
});

export const deleteFreezeWindow = route({
  method: 'DELETE',
  path: '/project/{project_id}/freeze_windows/{freeze_window_id}',
  permission: member('edit_schedules'),
  params: FreezeWindowParams,
  status: 204,
  answer: 'nothing',
  doc: 'Deletes a freeze window. Runs that it holds start at once, unless another window holds them.',
});
