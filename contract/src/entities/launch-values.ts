import { z } from 'zod';
import { ArgumentsText, JsonObjectText, OptionalId, text } from '../fields.ts';
import { HostLimit } from '../host-limit.ts';
import { Branch } from './resources.ts';
import { Duration, Forks, LaunchVault, Priority, Tags, Verbosity, vaultsOf } from './run-options.ts';
import { RunnerTags } from './runner-tags.ts';

/**
 * Everything that a task is started with, except its template, its build and its commit. An option that is absent has the
 * value of the template. Other values need a prompt of the template.
 */
export const LaunchValues = z.object({
  message: text(1024).default(''),
  environment: JsonObjectText.default('{}').describe('JSON object as text: the survey answers.'),
  arguments: ArgumentsText.default('[]'),
  limit: HostLimit.default('').describe(
    'Host pattern that limits the run. Empty for the limit of the template; `all` for every host.',
  ),
  tags: Tags.nullish().describe(
    'Runs only steps with one of these tags. Empty or null for the tags of the template; the tag `all` for every step.',
  ),
  skip_tags: Tags.nullish().describe('Skips steps with one of these tags. Null for those of the template.'),
  verbosity: Verbosity.nullish().describe('Number of `-v` options; null for that of the template.'),
  forks: Forks.nullish().describe('Number of hosts at once; null for that of the template.'),
  debug: z.boolean().nullish().describe('The same as `verbosity` 4, for clients that do not know it.'),
  dry_run: z.boolean().nullish().describe('Whether to only check what would change; null as in the template.'),
  diff: z.boolean().nullish().describe('Whether to show what changes in files; null as in the template.'),
  inventory_id: OptionalId.nullish().describe('Id of the inventory; null or 0 for that of the template.'),
  environment_id: OptionalId.nullish().describe('Id of the environment; null or 0 for that of the template.'),
  git_branch: Branch.nullish().describe('Branch or tag; null or empty for that of the repository.'),
  vaults: vaultsOf(LaunchVault)
    .nullish()
    .describe('Passwords that replace those of the template; null for those of the template.'),
  max_duration: Duration.nullish().describe(
    'Seconds after which the run is stopped, 0 for no limit; null for the limit of the template.',
  ),
  runner_tags: RunnerTags.nullish().describe(
    'Tags that a runner needs to run it; empty for every runner, null for those of the template.',
  ),
  priority: Priority.nullish().describe(
    'Waiting tasks with a higher priority start first; null for the priority of the template.',
  ),
});
export type LaunchValues = z.output<typeof LaunchValues>;
