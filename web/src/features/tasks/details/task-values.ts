import type { Task } from '@signalbox/contract';
import { taskArguments } from '../../../ui/tasks/task-arguments.ts';

interface UsedNames {
  readonly inventory: string | undefined;
  readonly environment: string | undefined;
  readonly repository: string | undefined;
}

/** The value of a text of JSON, or another text as it is. */
export const parsed = (json: string): unknown => {
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
};

/** Whether a value is set: options that are off and empty lists are not. */
export const isSet = (value: unknown): boolean => {
  if (value === undefined || value === null || value === '' || value === false || value === 0) return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
};

/** What a task was started with: options by the names of the API, objects by their own names. Leaves out what is not set. */
export const taskValues = (task: Task, names: UsedNames): Readonly<Record<string, unknown>> => {
  const values: Readonly<Record<string, unknown>> = {
    id: task.id,
    template: task.tpl_alias,
    app: task.app,
    playbook: task.tpl_playbook,
    version: task.version,
    message: task.message,
    ...names,
    git_branch: task.git_branch,
    commit_hash: task.commit_hash,
    limit: task.limit,
    tags: task.tags,
    skip_tags: task.skip_tags,
    dry_run: task.dry_run,
    diff: task.diff,
    verbosity: task.verbosity,
    forks: task.forks,
    arguments: taskArguments(task),
    answers: parsed(task.environment),
    execution_environment: task.execution_environment.kind === 'system' ? undefined : task.execution_environment,
    runner: task.runner_name,
    runner_tags: task.runner_tags,
    priority: task.priority,
    locks: task.locks,
    lock_hosts: task.lock_hosts,
    max_duration: task.max_duration,
    user: task.user_name,
    token: task.token_name,
    schedule: task.schedule_name,
    webhook: task.webhook_name,
    freeze_window: task.freeze_window,
    freeze_reason: task.freeze_reason,
    approval_by: task.approval_by,
    approval_comment: task.approval_comment,
    created: task.created,
    status: task.status,
    start: task.start,
    end: task.end,
  };
  return Object.fromEntries(Object.entries(values).filter(([, value]) => isSet(value)));
};
