import type { Prompts, RunOptions, Template } from '@signalbox/contract';
import type { TFunction } from 'i18next';
import type { PageApp } from '../../apps/page-app.ts';
import { numberText } from '../../lang/locale.ts';
import { OPTION_LABELS } from '../../lang/option-labels.ts';
import { signedText } from '../../ui/forms/number-text.ts';

/** The options of a template that have a value, each as a text such as `Limit web`. Most templates have few of them. */
export const optionTexts = (t: TFunction, options: RunOptions): string[] => {
  const { limit, tags, skip_tags: skipped, verbosity, forks, runner_tags: runnerTags, priority } = options;
  const named = {
    limit,
    tags: tags.join(', '),
    skip_tags: skipped.join(', '),
    verbosity: verbosity === 0 ? '' : `-${'v'.repeat(verbosity)}`,
    forks: forks === null ? '' : numberText(forks),
    runner_tags: runnerTags.join(', '),
    priority: priority === 0 ? '' : signedText(priority),
  };
  const flags = (['dry_run', 'diff'] as const).filter((name) => options[name]);
  return [
    ...(Object.keys(named) as (keyof typeof named)[]).flatMap((name) =>
      named[name] === '' ? [] : [`${t(OPTION_LABELS[name])} ${named[name]}`],
    ),
    ...flags.map((name) => t(OPTION_LABELS[name])),
  ];
};

/** The options that an app does not have. */
const missing = ({ features }: Pick<PageApp, 'features'>): ReadonlySet<string> =>
  new Set([
    ...(features.limit ? [] : ['limit']),
    ...(features.arguments ? [] : ['tags', 'skip_tags', 'forks']),
    ...(features.checkMode ? [] : ['dry_run']),
    ...(features.diff ? [] : ['diff']),
    ...(features.inventory ? [] : ['inventory_id']),
    ...(features.vault ? [] : ['vaults']),
  ]);

/**
 * The options that users may change when they start a task, each with the only values that it may get instead, such as
 * `Priority (5, 10)`.
 * @param nameOf returns the name of an inventory or environment
 */
export const changeableTexts = (
  t: TFunction,
  { prompts, allow_override_args_in_task: takesArguments }: Template,
  app: Pick<PageApp, 'features'>,
  nameOf: (option: 'inventory_id' | 'environment_id', id: number) => string | undefined,
): string[] => {
  const hidden = missing(app);
  return (Object.keys(OPTION_LABELS) as (keyof Prompts)[]).flatMap((option) => {
    const prompt = prompts[option];
    if (hidden.has(option) || prompt === 'fixed' || (prompt === null && !takesArguments)) return [];
    const label = t(OPTION_LABELS[option]);
    if (prompt === null || prompt === 'any') return [label];
    const values = prompt.map((value) => {
      if (typeof value === 'string') return value;
      if (option === 'priority') return signedText(value);
      const isObject = option === 'inventory_id' || option === 'environment_id';
      return (isObject ? nameOf(option, value) : numberText(value)) ?? '–';
    });
    return [`${label} (${values.join(', ')})`];
  });
};
