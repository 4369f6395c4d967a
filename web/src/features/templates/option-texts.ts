import type { RunOptions } from '@signalbox/contract';
import type { TFunction } from 'i18next';
import { numberText } from '../../lang/locale.ts';
import { signedText } from '../../ui/forms/number-text.ts';

/** The options of a template that have a value, each as a text such as `Limit web`. Most templates have few of them. */
export const optionTexts = (t: TFunction, options: RunOptions): string[] => {
  const { limit, tags, skip_tags: skipped, verbosity, forks, runner_tags: runnerTags, priority } = options;
  const named: readonly (readonly [label: string, value: string])[] = [
    [t('newTask.limit'), limit],
    [t('launch.tags'), tags.join(', ')],
    [t('launch.skipTags'), skipped.join(', ')],
    [t('launch.verbosity'), verbosity === 0 ? '' : `-${'v'.repeat(verbosity)}`],
    [t('launch.forks'), forks === null ? '' : numberText(forks)],
    [t('launch.runnerTags'), runnerTags.join(', ')],
    [t('launch.priority'), priority === 0 ? '' : signedText(priority)],
  ];
  return [
    ...named.flatMap(([label, value]) => (value === '' ? [] : [`${label} ${value}`])),
    ...(options.dry_run ? [t('newTask.dryRun')] : []),
    ...(options.diff ? [t('newTask.diff')] : []),
  ];
};
