import type { LaunchValues, Prompts, Task, Template } from '@signalbox/contract';
import { isCountText, isMinutesText, MAX_FORKS, minutesText, secondsOf } from '../../../ui/forms/number-text.ts';

/** The options of a request. */
type LaunchedOptions = Omit<LaunchValues, 'message' | 'environment' | 'arguments'>;
export type PromptName = keyof Prompts;

/** What an earlier task, or another object that starts tasks, has. */
export type EarlierOptions = Omit<LaunchValues, 'message' | 'environment' | 'arguments' | 'debug'>;

/** The password of a vault: the id of the vault, empty for vaults without one, and the id of its key. */
export type Vault = NonNullable<Task['vaults']>[number];

/** The options of the form. Numbers and ids are texts, as inputs need them. */
export interface OptionValues {
  limit: string;
  tags: string[];
  skip_tags: string[];
  verbosity: number;
  forks: string;
  dry_run: boolean;
  diff: boolean;
  inventory_id: string | null;
  environment_id: string | null;
  /** Empty for the branch of the repository. */
  git_branch: string;
  /** Empty for the newest commit. */
  commit_hash: string;
  vaults: Vault[];
  runner_tags: string[];
  priority: number;
  /** Minutes; empty for no limit. */
  max_minutes: string;
}

type Source = Pick<
  Template,
  | 'options'
  | 'prompts'
  | 'allow_override_args_in_task'
  | 'inventory_id'
  | 'environment_id'
  | 'vault_key_id'
  | 'vaults'
  | 'max_duration'
>;

/** What a template permits for an option: no change, any value, or the values of a list. */
export const permitted = (template: Source, name: PromptName): 'fixed' | 'any' | readonly unknown[] =>
  template.prompts[name] ?? (template.allow_override_args_in_task ? 'any' : 'fixed');

export const mayChange = (template: Source, name: PromptName): boolean => permitted(template, name) !== 'fixed';

/** Whether the template limits the tags of the runner to a list, and none of them is chosen. */
export const mustChooseRunner = (template: Source, { runner_tags }: Pick<OptionValues, 'runner_tags'>): boolean =>
  runner_tags.length === 0 && Array.isArray(permitted(template, 'runner_tags'));

const idText = (id: number | null): string | null => (id === null ? null : String(id));

/** The passwords of a template, also that of vaults without an id. */
export const vaultsOf = ({ vault_key_id, vaults }: Source): Vault[] => [
  ...(vault_key_id === null ? [] : [{ name: '', vault_key_id }]),
  ...vaults,
];

/** The values that the template sets. */
export const ownOptions = (template: Source): OptionValues => ({
  ...template.options,
  forks: template.options.forks === null ? '' : String(template.options.forks),
  inventory_id: idText(template.inventory_id),
  environment_id: idText(template.environment_id),
  git_branch: '',
  commit_hash: '',
  vaults: vaultsOf(template),
  max_minutes: minutesText(template.max_duration),
});

/** The options of an earlier task or of stored values. One that is null is the template's. */
const optionsOf = (earlier: EarlierOptions): Partial<OptionValues> => {
  const { tags, skip_tags, verbosity, forks, dry_run, diff, vaults, runner_tags, priority } = earlier;
  const { inventory_id, environment_id, git_branch, max_duration } = earlier;
  const given = {
    limit: earlier.limit,
    tags,
    skip_tags,
    verbosity,
    forks: forks == null ? null : String(forks),
    dry_run,
    diff,
    inventory_id: inventory_id == null ? null : String(inventory_id),
    environment_id: environment_id == null ? null : String(environment_id),
    git_branch,
    vaults,
    runner_tags,
    priority,
    max_minutes: max_duration == null ? null : minutesText(max_duration),
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value != null));
};

/** The prompt of each field, where its name differs. */
const PROMPT_OF = { max_minutes: 'max_duration', commit_hash: 'git_branch' } as const;

export const promptOf = (field: keyof OptionValues): PromptName =>
  field in PROMPT_OF ? PROMPT_OF[field as keyof typeof PROMPT_OF] : (field as PromptName);

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

export const isChanged = (template: Source, values: OptionValues, field: keyof OptionValues): boolean =>
  !isSame(values[field], ownOptions(template)[field]);

/**
 * The options in which an earlier task, or stored values, differ from the template today.
 * @returns the names of the options, all values of the earlier task, and those of the template
 */
export const differences = (template: Source, earlier: EarlierOptions) => {
  const own = ownOptions(template);
  const old: OptionValues = { ...own, ...optionsOf(earlier) };
  const fields = (Object.keys(own) as (keyof OptionValues)[]).filter((field) => !isSame(old[field], own[field]));
  return { old, own, fields };
};

/** Initial values: those of the template, or those of an earlier task where the template permits a change. */
export const startOptions = (template: Source, earlier: EarlierOptions | undefined, limit?: string): OptionValues => {
  const own = ownOptions(template);
  const kept = Object.fromEntries(
    Object.entries(earlier ? optionsOf(earlier) : {}).filter(([field]) =>
      mayChange(template, promptOf(field as keyof OptionValues)),
    ),
  );
  return { ...own, ...kept, ...(limit !== undefined && mayChange(template, 'limit') ? { limit } : {}) };
};

/** Explicit patterns and tags for everything: an empty value means that of the template. */
const EVERY = 'all';

/** The options of a request. Those that are the template's are left out, so that the template decides. */
export const optionsBody = (template: Source, values: OptionValues): LaunchedOptions => {
  const changed = (field: keyof OptionValues) => isChanged(template, values, field);
  const limit = values.limit.trim();
  return {
    limit: changed('limit') ? limit || EVERY : '',
    ...(changed('tags') ? { tags: values.tags.length > 0 ? values.tags : [EVERY] } : {}),
    ...(changed('skip_tags') ? { skip_tags: values.skip_tags } : {}),
    ...(changed('verbosity') ? { verbosity: values.verbosity } : {}),
    ...(changed('forks') && values.forks.trim() !== '' ? { forks: Number(values.forks) } : {}),
    ...(changed('dry_run') ? { dry_run: values.dry_run } : {}),
    ...(changed('diff') ? { diff: values.diff } : {}),
    ...(changed('inventory_id') ? { inventory_id: Number(values.inventory_id) } : {}),
    ...(changed('environment_id') ? { environment_id: Number(values.environment_id) } : {}),
    ...(values.git_branch.trim() === '' ? {} : { git_branch: values.git_branch.trim() }),
    ...(changed('vaults') ? { vaults: values.vaults } : {}),
    ...(changed('runner_tags') ? { runner_tags: values.runner_tags } : {}),
    ...(changed('priority') ? { priority: values.priority } : {}),
    ...(changed('max_minutes') ? { max_duration: secondsOf(values.max_minutes) } : {}),
  };
};

/** Keys of the messages for what is wrong, by field. */
export const optionProblems = ({ forks, max_minutes, commit_hash }: OptionValues): Record<string, string> => ({
  ...(isCountText(forks, MAX_FORKS) ? {} : { forks: 'launch.forksInvalid' }),
  ...(isMinutesText(max_minutes) ? {} : { max_minutes: 'templateForm.minutes' }),
  ...(/^(?:[0-9a-f]{40}(?:[0-9a-f]{24})?)?$/.test(commit_hash.trim()) ? {} : { commit_hash: 'launch.commitInvalid' }),
});
