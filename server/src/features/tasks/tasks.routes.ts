import type { Clock } from '../../clock.ts';
import type { Database } from '../../database/database.ts';
import { type Handlers, hiddenFrom, permitsOverride } from '../../http/calls/call.ts';
import { notFound } from '../../http/errors/api-error.ts';
import { listPage } from '../../http/objects/list-page.ts';
import { sortedTasks } from '../../http/objects/sorted-tasks.ts';
import type { CheckChoices } from '../../stored-answers/launch-checks.ts';
import { type LaunchDeps, requestTask } from './launch/task-request.ts';
import { findTask, listTasks } from './task.read-model.ts';
import { approveTask, rejectTask } from './task-approval.ts';
import { deleteTask } from './task-delete.ts';
import type { AddExpectations } from './task-expectation.ts';
import { keepTask } from './task-keep.ts';
import { listOutcomes } from './task-outcomes.ts';
import { taskStatistics } from './task-statistics.ts';
import { stopTask } from './task-stop.ts';
import type { TaskRow } from './task-transition.ts';
import { queued, type ReadWaiting, waitingIds } from './task-waiting.ts';

interface Deps extends LaunchDeps {
  readonly database: Database;
  readonly clock: Clock;
  /** Called with new and changed tasks, to update open pages and wake the dispatcher. */
  readonly changed: (tasks: readonly TaskRow[]) => void;
  /** Asks the runner of a task to stop it. A forced stop does not wait for an unreachable runner. */
  readonly stopOnRunner: (task: TaskRow, force: boolean) => Promise<void>;
  readonly readWaiting: ReadWaiting;
  readonly addExpectations: AddExpectations;
  /** Checks answers whose choices come from a source, which may take long to answer. */
  readonly checkChoices: CheckChoices;
}

const LAST_TASKS = 200;
const MAX_TASKS = 1000;

const DAYS = 14;

type TaskRoutes =
  | 'createTask'
  | 'listTasks'
  | 'listLastTasks'
  | 'listOutcomes'
  | 'getTaskStatistics'
  | 'getTask'
  | 'deleteTask'
  | 'keepTask'
  | 'stopTask'
  | 'approveTask'
  | 'rejectTask';

export const tasksRoutes = ({
  database,
  clock,
  master,
  changed,
  stopOnRunner,
  readWaiting,
  addExpectations,
  checkChoices,
  environments,
}: Deps): Pick<Handlers, TaskRoutes> => ({
  createTask: async (call) => {
    const { template_id: templateId, environment } = call.body;
    await checkChoices({ projectId: call.params.project_id, templateId, environment, actor: call.actor });
    const task = await database.write((tx) => requestTask(tx, call, clock.now(), { master, environments }));
    changed([task]);
    const stored = await findTask(database.read, call.params.project_id, task.id);
    if (!stored) throw notFound();
    return queued(stored, await readWaiting(waitingIds([stored]), hiddenFrom(call.membership)));
  },

  listTasks: async (call) => {
    const { params, query } = call;
    const filter = {
      projectId: params.project_id,
      templateId: query.template_id,
      status: query.status,
      endReason: query.end_reason,
      userId: query.user_id,
      from: query.from,
      to: query.to,
      before: query.before,
      hidden: call.hidden,
    };
    const tasks = await listPage(call, MAX_TASKS, (limit) => listTasks(database, { ...filter, limit }));
    return sortedTasks(await addExpectations(tasks), query, clock.now());
  },

  listLastTasks: async (call) => {
    const { hidden } = call;
    const { project_id: projectId } = call.params;
    const tasks = await listPage(call, LAST_TASKS, (limit) => listTasks(database, { projectId, hidden, limit }));
    return sortedTasks(await addExpectations(tasks), call.query, clock.now());
  },

  listOutcomes: async ({ params, hidden }) => {
    const outcomes = await listOutcomes(database, params.project_id);
    return outcomes.filter(({ template_id }) => !hidden.has(template_id));
  },

  getTaskStatistics: ({ params, query, hidden }) =>
    taskStatistics(database, params.project_id, clock.now(), query.days ?? DAYS, hidden),

  getTask: async ({ params, membership }) => {
    const found = await findTask(database.read, params.project_id, params.task_id);
    if (!found) throw notFound();
    const [task = found] = await addExpectations([found]);
    return queued(task, await readWaiting(waitingIds([task]), hiddenFrom(membership)));
  },

  deleteTask: async ({ params, actor, precondition }) => {
    await database.write(async (tx) => {
      const task = await findTask(tx, params.project_id, params.task_id);
      if (!task) throw notFound();
      // A task that can be deleted has ended.
      await precondition.check(() => queued(task));
      await deleteTask(tx, { projectId: params.project_id, taskId: params.task_id, actor, now: clock.now() });
    });
  },

  keepTask: async ({ params, body, actor }) => {
    const keeping = { projectId: params.project_id, taskId: params.task_id, kept: body.kept, actor, now: clock.now() };
    changed([await database.write((tx) => keepTask(tx, keeping))]);
  },

  stopTask: async ({ params, body, actor }) => {
    const { force } = body;
    const task = await database.write((tx) =>
      stopTask(tx, { projectId: params.project_id, taskId: params.task_id, force, actor, now: clock.now() }),
    );
    changed([task]);
    await stopOnRunner(task, force);
  },

  approveTask: async ({ params, body, actor, membership }) => {
    const task = await database.write((tx) =>
      approveTask(tx, {
        ...{ projectId: params.project_id, taskId: params.task_id, actor, now: clock.now() },
        ...{ approval: body, mayOverride: permitsOverride(membership), grants: membership.grants },
      }),
    );
    changed([task]);
  },

  rejectTask: async ({ params, body, actor, membership }) => {
    const task = await database.write((tx) =>
      rejectTask(tx, {
        ...{ projectId: params.project_id, taskId: params.task_id, actor, now: clock.now() },
        ...{ comment: body.comment, grants: membership.grants },
      }),
    );
    changed([task]);
  },
});
