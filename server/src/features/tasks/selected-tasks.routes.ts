import { NewTask } from '@signalbox/contract';
import type { Clock } from '../../clock.ts';
import type { Database } from '../../database/database.ts';
import { newestBuild } from '../../database/queries/newest-build.ts';
import { belongsTo } from '../../database/queries/same-project.ts';
import type { Handlers } from '../../http/calls/call.ts';
import { ApiError, notFound } from '../../http/errors/api-error.ts';
import { eachPermitted, templateIn } from '../../http/objects/each-selected.ts';
import { type LaunchDeps, requestTask } from './launch/task-request.ts';
import { deleteTask } from './task-delete.ts';
import type { TaskRow } from './task-transition.ts';

interface Deps extends LaunchDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly changed: (tasks: readonly TaskRow[]) => void;
}

/** Calls that start or delete several tasks, each in a transaction of its own. */
export const selectedTasksRoutes = ({
  database,
  clock,
  master,
  changed,
  environments,
}: Deps): Pick<Handlers, 'runTemplates' | 'deleteTasks'> => ({
  runTemplates: (call) =>
    eachPermitted(
      call,
      async (id) => id,
      async (id, { params, actor, membership }) => {
        const task = await database.write(async (tx) => {
          if (!(await belongsTo(tx, 'template', id, params.project_id))) throw notFound();
          const build = await newestBuild(tx, id);
          if (build === undefined) throw new ApiError('conflict.no_build');
          const body = NewTask.parse({ template_id: id, build_task_id: build });
          return await requestTask(tx, { params, body, actor, membership }, clock.now(), { master, environments });
        });
        changed([task]);
      },
    ),

  deleteTasks: (call) => {
    const projectId = call.params.project_id;
    return eachPermitted(call, templateIn(database.read, 'task', projectId), (taskId) =>
      database.write((tx) => deleteTask(tx, { projectId, taskId, actor: call.actor, now: clock.now() })),
    );
  },
});
