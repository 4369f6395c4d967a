import type { ComparedField } from '@signalbox/contract';

/** Keys of the names of fields of a task. The file of a run has the name that its app gives it. */
export const COMPARED_FIELD_LABELS: Readonly<Record<Exclude<ComparedField, 'tpl_playbook'>, string>> = {
  app: 'templateForm.app',
  commit_hash: 'task.commit',
  git_branch: 'launch.branch',
  version: 'column.version',
  inventory_id: 'column.inventory',
  inventory_content: 'compare.inventoryContent',
  environment_id: 'column.environment',
  environment_content: 'compare.environmentContent',
  limit: 'newTask.limit',
  tags: 'launch.tags',
  skip_tags: 'launch.skipTags',
  arguments: 'newTask.arguments',
  dry_run: 'newTask.dryRun',
  diff: 'newTask.diff',
  verbosity: 'launch.verbosity',
  forks: 'launch.forks',
  execution_environment: 'executionEnvironment.title',
  runner_name: 'details.runner',
};
