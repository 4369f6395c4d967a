import type { Prompts, Template } from '@signalbox/contract';
import { isCountText, MAX_FORKS } from '../../../../ui/forms/number-text.ts';

export type PromptName = keyof Prompts;

/** What a template permits for one option, as the form has it. `arguments` follows the setting for arguments. */
export interface Rule {
  mode: 'fixed' | 'any' | 'list' | 'arguments';
  /** The values of a list as texts. Kept while another mode is chosen. */
  values: string[];
}

export type Rules = Record<PromptName, Rule>;

/** The options of a template, with numbers as texts. */
export interface OptionFields {
  limit: string;
  tags: string[];
  skip_tags: string[];
  verbosity: string;
  forks: string;
  dry_run: boolean;
  diff: boolean;
  runner_tags: string[];
  priority: string;
}

/** The modes that each option has. */
export const MODES: Readonly<Record<PromptName, readonly Rule['mode'][]>> = {
  limit: ['any', 'fixed', 'list'],
  tags: ['arguments', 'any', 'fixed', 'list'],
  skip_tags: ['arguments', 'any', 'fixed', 'list'],
  forks: ['arguments', 'any', 'fixed', 'list'],
  verbosity: ['any', 'fixed'],
  dry_run: ['any', 'fixed'],
  diff: ['any', 'fixed'],
  inventory_id: ['fixed', 'any', 'list'],
  environment_id: ['fixed', 'any', 'list'],
  git_branch: ['fixed', 'any', 'list'],
  vaults: ['fixed', 'any'],
  max_duration: ['fixed', 'any'],
  runner_tags: ['fixed', 'any', 'list'],
  priority: ['fixed', 'any', 'list'],
};

const NAMES = Object.keys(MODES) as PromptName[];

/** Options whose lists contain numbers. */
const NUMBERS: ReadonlySet<PromptName> = new Set(['forks', 'priority', 'inventory_id', 'environment_id']);

const ruleOf = (name: PromptName, prompt: Prompts[PromptName] | undefined): Rule => {
  if (prompt === undefined || prompt === null) return { mode: MODES[name][0] ?? 'fixed', values: [] };
  return typeof prompt === 'string' ? { mode: prompt, values: [] } : { mode: 'list', values: prompt.map(String) };
};

/** The rules of a template; those of a new one without it. */
export const startRules = (item: Template | undefined): Rules =>
  Object.fromEntries(NAMES.map((name) => [name, ruleOf(name, item?.prompts[name])])) as Rules;

/** The prompts of a request. */
export const rulesBody = (rules: Rules): Prompts =>
  Object.fromEntries(
    NAMES.map((name) => {
      const { mode, values } = rules[name];
      if (mode === 'arguments') return [name, null];
      if (mode !== 'list') return [name, mode];
      return [name, NUMBERS.has(name) ? values.map(Number) : values];
    }),
  ) as unknown as Prompts;

export const startOptionFields = (item: Template | undefined): OptionFields => {
  const options = item?.options;
  return {
    limit: options?.limit ?? '',
    tags: options?.tags ?? [],
    skip_tags: options?.skip_tags ?? [],
    verbosity: String(options?.verbosity ?? 0),
    forks: options?.forks == null ? '' : String(options.forks),
    dry_run: options?.dry_run ?? false,
    diff: options?.diff ?? false,
    runner_tags: options?.runner_tags ?? [],
    priority: String(options?.priority ?? 0),
  };
};

/** The options of a request. */
export const optionsBody = ({ limit, forks, verbosity, priority, ...others }: OptionFields): Template['options'] => ({
  ...others,
  limit: limit.trim(),
  verbosity: Number(verbosity),
  forks: forks.trim() === '' ? null : Number(forks),
  priority: Number(priority),
});

/** Keys of the messages for what is wrong, by field. */
export const optionProblems = (fields: OptionFields, rules: Rules): Record<string, string> => ({
  ...(isCountText(fields.forks, MAX_FORKS) ? {} : { 'options.forks': 'launch.forksInvalid' }),
  ...Object.fromEntries(
    NAMES.filter((name) => rules[name].mode === 'list' && rules[name].values.length === 0).map((name) => [
      `prompts.${name}`,
      'optionRules.listRequired',
    ]),
  ),
});
