import { MAX_ACTIVE_TASKS } from '@signalbox/contract';
import type { Clock } from '../../clock.ts';
import type { Database } from '../../database/database.ts';
import type { Handlers } from '../../http/calls/call.ts';
import { callersProjects, holdsOn, seesTemplate } from '../../http/calls/callers-projects.ts';
import { ApiError, notFound } from '../../http/errors/api-error.ts';
import { eachSelected } from '../../http/objects/each-selected.ts';
import { listPage } from '../../http/objects/list-page.ts';
import { listActiveTasks } from './task-active.ts';
import type { AddExpectations } from './task-expectation.ts';
import { stopTask } from './task-stop.ts';
import type { TaskRow } from './task-transition.ts';
import type { ReadWaiting } from './task-waiting.ts';

interface Deps {
  readonly database: Database;
  readonly clock: Clock;
  readonly readWaiting: ReadWaiting;
  readonly addExpectations: AddExpectations;
  readonly changed: (tasks: readonly TaskRow[]) => void;
  readonly stopOnRunner: (task: TaskRow, force: boolean) => Promise<void>;
}

/** Calls about the tasks of all projects of the caller. */
export const activeTasksRoutes = ({
  database,
  clock,
  readWaiting,
  addExpectations,
  changed,
  stopOnRunner,
}: Deps): Pick<Handlers, 'listActiveTasks' | 'stopTasks'> => ({
  listActiveTasks: async (call) => {
    const projects = await callersProjects(database.read, call.caller);
    return await listPage(call, MAX_ACTIVE_TASKS, (limit) =>
      listActiveTasks({ database, readWaiting, addExpectations }, projects, call.caller.id, limit),
    );
  },

  stopTasks: async ({ body: { ids, force }, caller, actor }) => {
    const projects = await callersProjects(database.read, caller);
    const stopped: TaskRow[] = [];
    const outcome = await eachSelected(ids, async (taskId) => {
      const task = await database.write(async (tx) => {
        const found = await tx
          .selectFrom('task')
          .select(['project_id', 'template_id'])
          .where('id', '=', taskId)
          .executeTakeFirst();
        if (!found || !seesTemplate(projects, found)) throw notFound();
        if (!holdsOn(projects, found, 'stop_tasks')) throw new ApiError('not_permitted');
        return await stopTask(tx, { projectId: found.project_id, taskId, force, actor, now: clock.now() });
      });
      stopped.push(task);
    });
    changed(stopped);
    await Promise.all(stopped.map((task) => stopOnRunner(task, force)));
    return outcome;
  },
});
