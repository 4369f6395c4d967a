import type { StateTransaction } from '../database/database.ts';
import { newestBuild } from '../database/queries/newest-build.ts';
import type { EnvironmentRules } from '../execution-environments.ts';
import { launchTask } from '../features/tasks/launch/task-launch.ts';
import type { TaskRow } from '../features/tasks/task-transition.ts';
import type { WebhookLaunch } from '../features/webhooks/webhook-handling.ts';
import { ApiError } from '../http/errors/api-error.ts';
import type { MasterKey } from '../secrets/master-key.ts';

/** Starts the tasks of webhooks. A call has the rights of a user who may only run tasks. */
export const webhookLaunch =
  (master: MasterKey, environments: EnvironmentRules) =>
  async (tx: StateTransaction, { projectId, request, webhook, actor, now }: WebhookLaunch): Promise<TaskRow> => {
    const build_task_id = await newestBuild(tx, request.template_id);
    if (build_task_id === undefined) throw new ApiError('conflict.no_build');
    const launch = { projectId, request: { ...request, build_task_id }, webhook, actor, now, master };
    return await launchTask(tx, { ...launch, mayOverride: false, environments });
  };
