import { MAX_LINE_MATCHES, MAX_SEARCHED_LINES } from '@signalbox/contract';
import type { Handlers } from '../../http/calls/call.ts';
import type { OpenLog } from './task-log.ts';

/** Maximum time of one call, in milliseconds: a text that almost matches everywhere takes long. */
const MAX_MS = 2_000;
const LIMITS = { lines: MAX_SEARCHED_LINES, matches: MAX_LINE_MATCHES, ms: MAX_MS };

export const taskSearchRoutes = (openLog: OpenLog): Pick<Handlers, 'searchTaskLines'> => ({
  searchTaskLines: async ({ params: { project_id: projectId, task_id: taskId }, query: { text, from = 1 } }) => {
    const log = await openLog(projectId, taskId);
    return await log.search(taskId, { text, from }, LIMITS);
  },
});
