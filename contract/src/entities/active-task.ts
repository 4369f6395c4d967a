import { z } from 'zod';
import { Waiting } from './queued-task.ts';
import { Task } from './task.ts';

/** Maximum number of tasks in the list of the active tasks of all projects. */
export const MAX_ACTIVE_TASKS = 500;

/** A task that waits or runs, in the list of all projects. */
export const ActiveTask = Task.pick({
  id: true,
  project_id: true,
  template_id: true,
  status: true,
  message: true,
  version: true,
  tpl_type: true,
  tpl_alias: true,
  build_task_id: true,
  user_id: true,
  user_name: true,
  approval: true,
  approval_state: true,
  approval_starter: true,
  priority: true,
  created: true,
  start: true,
  end: true,
  end_reason: true,
  limit: true,
  runner_unreachable_since: true,
  runner_id: true,
  runner_name: true,
  schedule_id: true,
  schedule_name: true,
  token_name: true,
  webhook_id: true,
  webhook_name: true,
  expected_end: true,
  done_share: true,
  longer_than_usual: true,
  running_step: true,
  silent_hosts: true,
}).extend({
  ...Waiting.shape,
  project_name: z.string().describe('Name of the project.'),
  may_stop: z.boolean().describe('Whether the caller may stop the task.'),
  may_approve: z.boolean().describe('Whether the task waits for an approval that the caller may give.'),
});
export type ActiveTask = z.infer<typeof ActiveTask>;
