import type { Prompts } from '@signalbox/contract';

/** Catalogue keys of the names of the options of a run. */
export const OPTION_LABELS = {
  limit: 'newTask.limit',
  tags: 'launch.tags',
  skip_tags: 'launch.skipTags',
  forks: 'launch.forks',
  verbosity: 'launch.verbosity',
  dry_run: 'newTask.dryRun',
  diff: 'newTask.diff',
  inventory_id: 'column.inventory',
  environment_id: 'column.environment',
  git_branch: 'launch.branch',
  vaults: 'launch.vaults',
  runner_tags: 'launch.runnerTags',
  priority: 'launch.priority',
  max_duration: 'templateForm.maxMinutes',
} as const satisfies Record<keyof Prompts, string>;
