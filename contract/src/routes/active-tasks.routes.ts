import { z } from 'zod';
import { ActiveTask, MAX_ACTIVE_TASKS } from '../entities/active-task.ts';
import { SelectedIds, SelectionOutcome } from '../entities/selection.ts';
import { pageQuery } from '../fields.ts';
import { route, signedIn } from '../route.ts';

export const listActiveTasks = route({
  method: 'GET',
  path: '/tasks/active',
  permission: signedIn,
  query: z.object(pageQuery(MAX_ACTIVE_TASKS)),
  paged: true,
  status: 200,
  answer: z.array(ActiveTask),
  doc: 'The tasks that wait or run in the projects of the caller, newest first; in all projects for a system admin.',
});

export const stopTasks = route({
  method: 'POST',
  path: '/tasks/stop',
  permission: signedIn,
  callKind: 'run',
  body: z.object({ ids: SelectedIds, force: z.boolean().default(false) }),
  status: 200,
  answer: SelectionOutcome,
  doc: 'Stops tasks of one or several projects. Each task is stopped as `stopTask` stops it, or refused for the same reasons.',
});
