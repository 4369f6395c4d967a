import { Checkbox, MultiSelect, Select, TagsInput, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { PageApp } from '../../../../apps/page-app.ts';
import { OPTION_LABELS } from '../../../../lang/option-labels.ts';
import { errorOfList } from '../../../../ui/forms/error-of-list.ts';
import { PRIORITIES, signedText } from '../../../../ui/forms/number-text.ts';
import css from './option-rows.module.css';
import { MODES, type OptionFields, type PromptName, type Rule, type Rules } from './option-rules.ts';

interface Named {
  readonly id: number;
  readonly name: string;
}

export interface OptionRowsProps {
  app: PageApp;
  fields: OptionFields;
  rules: Rules;
  errors: Readonly<Record<string, ReactNode>>;
  inventories: readonly Named[] | undefined;
  environments: readonly Named[] | undefined;
  onFields: (fields: OptionFields) => void;
  onRules: (rules: Rules) => void;
}

/** The row of an option: its value, if it is set here, and what a user may change of it. */
interface Row {
  readonly name: PromptName;
  readonly value?: ReactNode;
  /** Where else the value is set; by default in a field above. */
  readonly where?: string;
  /** The objects or numbers that a list contains; undefined for texts. */
  readonly items?: readonly Named[] | undefined;
}

const idsOf = (items: readonly Named[] | undefined) =>
  (items ?? []).map(({ id, name }) => ({ value: String(id), label: name }));

/** The options of the runs of a template, and who may change them. */
export const OptionRows = (props: OptionRowsProps) => {
  const { app, fields, rules, errors, inventories, environments, onFields, onRules } = props;
  const { t } = useTranslation();
  const { features } = app;
  const set = (part: Partial<OptionFields>) => onFields({ ...fields, ...part });
  const modeLabels: Readonly<Record<Rule['mode'], string>> = {
    any: t('optionRules.any'),
    fixed: t('optionRules.fixed'),
    list: t('optionRules.list'),
    arguments: t('optionRules.asArguments'),
  };
  const rows: (Row | false)[] = [
    features.limit && {
      name: 'limit',
      value: (
        <TextInput
          aria-label={t('newTask.limit')}
          placeholder={t('launch.everyHost')}
          classNames={{ input: css.mono ?? '' }}
          spellCheck={false}
          value={fields.limit}
          onChange={(event) => set({ limit: event.currentTarget.value })}
          error={errors['options.limit']}
        />
      ),
    },
    features.arguments && {
      name: 'tags',
      value: (
        <TagsInput
          aria-label={t('launch.tags')}
          placeholder={fields.tags.length === 0 ? t('launch.everyStep') : ''}
          splitChars={[',', ' ']}
          value={fields.tags}
          onChange={(tags) => set({ tags })}
          error={errors['options.tags']}
        />
      ),
    },
    features.arguments && {
      name: 'skip_tags',
      value: (
        <TagsInput
          aria-label={t('launch.skipTags')}
          splitChars={[',', ' ']}
          value={fields.skip_tags}
          onChange={(skip_tags) => set({ skip_tags })}
          error={errors['options.skip_tags']}
        />
      ),
    },
    features.arguments && {
      name: 'forks',
      value: (
        <TextInput
          aria-label={t('launch.forks')}
          placeholder={t('optionRules.usualForks')}
          inputMode="numeric"
          value={fields.forks}
          onChange={(event) => set({ forks: event.currentTarget.value })}
          error={errors['options.forks']}
        />
      ),
    },
    {
      name: 'verbosity',
      value: (
        <Select
          aria-label={t('launch.verbosity')}
          data={[0, 1, 2, 3, 4, 5, 6].map((number) => ({
            value: String(number),
            label: number === 0 ? t('launch.normal') : `-${'v'.repeat(number)}`,
          }))}
          allowDeselect={false}
          value={fields.verbosity}
          onChange={(verbosity) => set({ verbosity: verbosity ?? '0' })}
        />
      ),
    },
    features.checkMode && {
      name: 'dry_run',
      value: (
        <Checkbox
          aria-label={t('newTask.dryRun')}
          checked={fields.dry_run}
          onChange={(event) => set({ dry_run: event.currentTarget.checked })}
        />
      ),
    },
    features.diff && {
      name: 'diff',
      value: (
        <Checkbox
          aria-label={t('newTask.diff')}
          checked={fields.diff}
          onChange={(event) => set({ diff: event.currentTarget.checked })}
        />
      ),
    },
    features.inventory && { name: 'inventory_id', items: inventories },
    { name: 'environment_id', items: environments },
    { name: 'git_branch', where: t('optionRules.ofRepository') },
    features.vault && { name: 'vaults' },
    {
      name: 'runner_tags',
      value: (
        <TagsInput
          aria-label={t('launch.runnerTags')}
          placeholder={fields.runner_tags.length === 0 ? t('launch.anyRunner') : ''}
          splitChars={[',', ' ']}
          value={fields.runner_tags}
          onChange={(runner_tags) => set({ runner_tags })}
          error={errorOfList(errors, 'options.runner_tags')}
        />
      ),
    },
    {
      name: 'priority',
      value: (
        <Select
          aria-label={t('launch.priority')}
          data={PRIORITIES.map((number) => ({
            value: String(number),
            label: number === 0 ? t('launch.normalPriority') : signedText(number),
          }))}
          allowDeselect={false}
          value={fields.priority}
          onChange={(priority) => set({ priority: priority ?? '0' })}
        />
      ),
      items: PRIORITIES.map((number) => ({ id: number, name: signedText(number) })),
    },
    { name: 'max_duration', where: t('optionRules.below') },
  ];
  return (
    <>
      <p className={css.help}>{t('optionRules.help')}</p>
      <div className={css.rows}>
        {rows
          .filter((row) => row !== false)
          .map(({ name, value, items, where = t('optionRules.above') }) => {
            const label = t(OPTION_LABELS[name]);
            const rule = rules[name];
            const change = (part: Partial<Rule>) => onRules({ ...rules, [name]: { ...rule, ...part } });
            const list = {
              'aria-label': t('optionRules.listOf', { option: label }),
              value: rule.values,
              onChange: (values: string[]) => change({ values }),
              error: errorOfList(errors, `prompts.${name}`),
            };
            return (
              // biome-ignore lint/a11y/useSemanticElements: a fieldset would draw its own frame and legend
              <div key={name} className={css.row} role="group" aria-label={label}>
                <span className={css.label}>{label}</span>
                <div>{value ?? <span className={css.above}>{where}</span>}</div>
                <Select
                  aria-label={t('optionRules.modeOf', { option: label })}
                  data={MODES[name].map((mode) => ({ value: mode, label: modeLabels[mode] }))}
                  allowDeselect={false}
                  value={rule.mode}
                  onChange={(mode) => change({ mode: (mode ?? 'fixed') as Rule['mode'] })}
                />
                {rule.mode === 'list' ? (
                  <div className={css.list}>
                    {items ? (
                      <MultiSelect data={idsOf(items)} searchable {...list} />
                    ) : (
                      <TagsInput placeholder={t('optionRules.listHelp')} splitChars={['\n']} {...list} />
                    )}
                  </div>
                ) : null}
              </div>
            );
          })}
      </div>
    </>
  );
};
