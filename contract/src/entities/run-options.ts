import { z } from 'zod';
import { Id, text } from '../fields.ts';
import { HostLimit } from '../host-limit.ts';
import { fieldError } from '../messages/field-errors.ts';
import { Branch } from './resources.ts';
import { RunnerTag, RunnerTags } from './runner-tags.ts';

/** A tag that a playbook is limited to or skips. It has no comma, because Ansible separates tags with commas. */
export const Tag = text(255)
  .trim()
  .min(1, fieldError('field.required'))
  .regex(/^[^,\p{Cc}-][^,\p{Cc}]*$/u, fieldError('field.tag'))
  .meta({ openapiFormat: 'tag' });

export const Tags = z.array(Tag).max(200);

/** The verbosity of `debug`. From here on, Ansible also prints details of its connections. */
export const DEBUG_VERBOSITY = 4;

/** Maximum number of different sets of runner tags that the waiting tasks of one project can have. */
export const MAX_TAG_SETS = 1000;

/** Tasks with a higher priority are claimed first. */
export const Priority = z.int().min(-10).max(10);

/** Number of `-v` options. */
export const Verbosity = z.int().min(0).max(6);

export const Forks = z.int().min(1).max(1000);

/** Longest time limit of a run, in seconds: one year. */
export const MAX_DURATION = 31_536_000;

export const Duration = z.int().min(0).max(MAX_DURATION);

/** The options that a template sets for its runs. */
export const RunOptions = z.object({
  limit: HostLimit.default(''),
  tags: Tags.default([]).describe('Runs only steps with one of these tags; empty for all steps.'),
  skip_tags: Tags.default([]).describe('Skips steps with one of these tags.'),
  verbosity: Verbosity.default(0).describe('Number of `-v` options.'),
  forks: Forks.nullable().default(null).describe('Number of hosts at once; null for the setting of Ansible.'),
  dry_run: z.boolean().default(false),
  diff: z.boolean().default(false),
  runner_tags: RunnerTags.default([]).describe('Tags that a runner needs to run it; empty for every runner.'),
  priority: Priority.default(0).describe('Waiting tasks with a higher priority start first.'),
});
export type RunOptions = z.output<typeof RunOptions>;

const Free = z.enum(['fixed', 'any']);

/** Whether a task may have another value: `fixed`, `any`, or only the values of a list. */
const prompt = <Value extends z.ZodType>(value: Value) => z.union([Free, z.array(value).min(1).max(200)]);

/** Null follows the arguments: a user who may give arguments can change the option, as with `--tags`. */
const asArguments = <Value extends z.ZodType>(value: Value) => prompt(value).nullable().default(null);

/** What a user may change when starting a task. An option of a list may always keep the value of the template. */
export const Prompts = z.object({
  inventory_id: prompt(Id).default('fixed').describe('Inventories by id.'),
  environment_id: prompt(Id).default('fixed').describe('Environments by id.'),
  git_branch: prompt(Branch)
    .default('fixed')
    .describe('Branches and tags of the repository. `any` also permits every commit.'),
  limit: prompt(HostLimit).default('any').describe('Host patterns.'),
  tags: asArguments(Tag).describe('Tags; null permits every tag if the template allows arguments.'),
  skip_tags: asArguments(Tag).describe('Tags; null permits every tag if the template allows arguments.'),
  forks: asArguments(Forks).describe('Numbers; null permits every number if the template allows arguments.'),
  verbosity: Free.default('any').describe('Whether the number of `-v` options may be another one.'),
  dry_run: Free.default('any'),
  diff: Free.default('any'),
  vaults: Free.default('fixed').describe('`any` permits every password of the key store.'),
  max_duration: Free.default('fixed').describe('Whether the time limit may be another one.'),
  runner_tags: prompt(RunnerTag).default('fixed').describe('Tags of runners. With a list, at least one is required.'),
  priority: prompt(Priority).default('fixed').describe('Priorities.'),
});
export type Prompts = z.output<typeof Prompts>;
export type PromptName = keyof Prompts;

/** The id of a vault, as in `--vault-id name@file`. Ansible separates name and file at the `@`. */
const VaultName = text(64)
  .trim()
  .regex(/^(?!-)[^@,\s\p{Cc}]*$/u, fieldError('field.vault_name'))
  .meta({ openapiFormat: 'vault-name' });

const VaultKey = { vault_key_id: Id.describe('Id of the key with the password.') };

/** The password of a vault that has an id. */
export const Vault = z.object({
  name: VaultName.min(1, fieldError('field.required')).describe(
    'Id of the vault, as in `ansible-vault encrypt --vault-id`.',
  ),
  ...VaultKey,
});
export type Vault = z.output<typeof Vault>;

/** The password of a vault that a task uses. */
export const LaunchVault = z.object({
  name: VaultName.describe('Id of the vault; empty for the password of vaults without an id.'),
  ...VaultKey,
});
export type LaunchVault = z.output<typeof LaunchVault>;

/** A list of passwords, at most one for each vault. */
export const vaultsOf = <One extends typeof Vault | typeof LaunchVault>(one: One) =>
  z
    .array(one)
    .max(50)
    .refine(
      (vaults) => new Set(vaults.map(({ name }) => name)).size === vaults.length,
      fieldError('field.vault_twice'),
    );
