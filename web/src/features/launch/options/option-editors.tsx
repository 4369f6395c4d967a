import { Select, TagsInput, TextInput } from '@mantine/core';
import type { Template } from '@signalbox/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { keysQuery, repositoriesQuery } from '../../../api/queries.ts';
import { useBranches } from '../../../api/use-runner-lookup.ts';
import { FieldRow } from '../../../ui/dialogs/form-dialog.tsx';
import { ChipChoices } from '../../../ui/forms/chip-choices.tsx';
import { Choice } from '../../../ui/forms/choice.tsx';
import { PRIORITIES, signedText } from '../../../ui/forms/number-text.ts';
import { ObjectSelect } from '../../../ui/forms/object-select.tsx';
import { SuggestInput } from '../../../ui/forms/suggest-input.tsx';
import css from '../new-task.module.css';
import type { NewTaskFormState } from '../new-task-form.tsx';
import { permitted, vaultsOf } from './option-values.ts';

export interface EditorProps {
  form: NewTaskFormState;
  template: Template;
}

/** The tags of one of the lists: any, or those that the template offers. */
const TagField = ({
  form,
  template,
  field,
  label,
  description,
}: EditorProps & { field: 'tags' | 'skip_tags' | 'runner_tags'; label: string; description?: string }) => {
  const allowed = permitted(template, field);
  const own = template.options[field];
  if (allowed === 'fixed') return null;
  if (allowed !== 'any') {
    const offered = [...new Set([...own, ...(allowed as string[])])];
    return (
      <ChipChoices
        label={label}
        options={offered.map((value) => ({ value, label: value }))}
        value={form.values[field]}
        onChange={(tags) => form.setFieldValue(field, tags)}
        error={form.errors[field]}
      />
    );
  }
  return (
    <TagsInput
      label={label}
      description={description}
      splitChars={[',', ' ']}
      clearable
      {...form.getInputProps(field)}
    />
  );
};

export const StepsEditor = (props: EditorProps) => {
  const { t } = useTranslation();
  return (
    <FieldRow>
      <TagField {...props} field="tags" label={t('launch.tags')} />
      <TagField {...props} field="skip_tags" label={t('launch.skipTags')} />
    </FieldRow>
  );
};

export const RunnerTagsEditor = (props: EditorProps) => {
  const { t } = useTranslation();
  return (
    <TagField {...props} field="runner_tags" label={t('launch.runnerTags')} description={t('launch.runnerTagsHelp')} />
  );
};

export const PriorityEditor = ({ form, template }: EditorProps) => {
  const { t } = useTranslation();
  const allowed = permitted(template, 'priority');
  const own = template.options.priority;
  const offered =
    typeof allowed === 'string' ? PRIORITIES : PRIORITIES.filter((one) => one === own || allowed.includes(one));
  return (
    <Select
      label={t('launch.priority')}
      description={t('launch.priorityHelp')}
      data={offered.map((number) => ({
        value: String(number),
        label: number === 0 ? t('launch.normalPriority') : signedText(number),
      }))}
      allowDeselect={false}
      value={String(form.values.priority)}
      onChange={(number) => form.setFieldValue('priority', Number(number))}
      error={form.errors.priority}
    />
  );
};

/** A value of a list, of which the template's own value is the first. */
export const ListedLimit = ({ form, template }: EditorProps) => {
  const { t } = useTranslation();
  const allowed = permitted(template, 'limit') as readonly string[];
  const own = template.options.limit;
  const options = [...new Set([own, ...allowed])].map((value) => ({
    value,
    label: value === '' ? t('launch.everyHost') : value,
  }));
  return (
    <Select
      label={t('newTask.limit')}
      data={options}
      allowDeselect={false}
      searchable
      {...form.getInputProps('limit')}
    />
  );
};

export const ForksEditor = ({ form, template }: EditorProps) => {
  const { t } = useTranslation();
  const allowed = permitted(template, 'forks');
  if (typeof allowed === 'string')
    return (
      <TextInput
        label={t('launch.forks')}
        description={t('launch.forksHelp')}
        inputMode="numeric"
        {...form.getInputProps('forks')}
      />
    );
  const numbers = [...new Set([template.options.forks, ...(allowed as number[])])].filter((one) => one !== null);
  return (
    <Select
      label={t('launch.forks')}
      data={numbers.map(String)}
      allowDeselect={false}
      {...form.getInputProps('forks')}
      value={form.values.forks === '' ? null : form.values.forks}
    />
  );
};

/** The branch, and the commit if the template permits every branch. */
export const BranchEditor = ({ form, template, hasCommit }: EditorProps & { hasCommit: boolean }) => {
  const { t } = useTranslation();
  const { data: repositories } = useQuery(repositoriesQuery(template.project_id));
  const own = repositories?.find(({ id }) => id === template.repository_id)?.git_branch ?? '';
  const branches = useBranches(template.project_id, template.repository_id);
  const allowed = permitted(template, 'git_branch');
  if (typeof allowed !== 'string')
    return (
      <Select
        label={t('launch.branch')}
        data={[
          { value: '', label: own || t('launch.defaultBranch') },
          ...(allowed as string[]).filter((one) => one !== own),
        ]}
        allowDeselect={false}
        searchable
        {...form.getInputProps('git_branch')}
      />
    );
  return (
    <FieldRow>
      <SuggestInput
        label={t('launch.branch')}
        placeholder={own}
        suggestions={branches.values}
        lookup={branches.lookup}
        onFocus={branches.onFocus}
        {...form.getInputProps('git_branch')}
      />
      {hasCommit ? (
        <TextInput
          label={t('task.commit')}
          description={t('launch.commitHelp')}
          classNames={{ input: css.mono ?? '' }}
          spellCheck={false}
          {...form.getInputProps('commit_hash')}
        />
      ) : null}
    </FieldRow>
  );
};

interface ChosenObjectProps extends EditorProps {
  field: 'inventory_id' | 'environment_id';
  items: readonly { readonly id: number; readonly name: string }[] | undefined;
}

/** An inventory or an environment: any of the project, or those that the template offers. */
export const ObjectEditor = ({ form, template, field, items }: ChosenObjectProps) => {
  const { t } = useTranslation();
  const allowed = permitted(template, field);
  const offered =
    typeof allowed === 'string' ? items : items?.filter(({ id }) => id === template[field] || allowed.includes(id));
  const isInventory = field === 'inventory_id';
  return (
    <ObjectSelect
      label={isInventory ? t('column.inventory') : t('column.environment')}
      placeholder={isInventory ? t('templateForm.chooseInventory') : t('templateForm.chooseEnvironment')}
      icon={isInventory ? 'inventory' : 'environment'}
      items={offered}
      {...form.getInputProps(field)}
    />
  );
};

/** `-v` to `-vvvvvv`. */
export const VerbosityEditor = ({ form }: EditorProps) => {
  const { t } = useTranslation();
  return (
    <Choice
      label={t('launch.verbosity')}
      description={t('launch.verbosityHelp')}
      options={[0, 1, 2, 3, 4, 5, 6].map((number) => ({
        value: String(number),
        label: number === 0 ? t('launch.normal') : `-${'v'.repeat(number)}`,
      }))}
      value={String(form.values.verbosity)}
      onChange={(number) => form.setFieldValue('verbosity', Number(number))}
      error={form.errors.verbosity}
    />
  );
};

/** The password of each vault that the template opens. */
export const VaultsEditor = ({ form, template }: EditorProps) => {
  const { t } = useTranslation();
  const { data: keys } = useQuery(keysQuery(template.project_id));
  const own = vaultsOf(template);
  const { vaults } = form.values;
  const rows = own.length > 0 ? own : [{ name: '', vault_key_id: 0 }];
  return (
    <>
      {rows.map(({ name }) => (
        <ObjectSelect
          key={name}
          label={name === '' ? t('templateForm.vault') : t('launch.vaultOf', { name })}
          placeholder={t('keys.choose')}
          icon="key"
          items={keys?.filter((key) => key.type === 'login_password')}
          isOptional
          value={String(vaults.find((vault) => vault.name === name)?.vault_key_id ?? '') || null}
          onChange={(id) => {
            const others = (one: string) => vaults.filter((vault) => vault.name === one);
            // In the order of the template, so that the same choice is the same value.
            form.setFieldValue(
              'vaults',
              rows.flatMap((row) => {
                if (row.name !== name) return others(row.name);
                return id === null ? [] : [{ name, vault_key_id: Number(id) }];
              }),
            );
          }}
          error={form.errors.vaults}
        />
      ))}
    </>
  );
};

export const DurationEditor = ({ form }: EditorProps) => {
  const { t } = useTranslation();
  return (
    <TextInput
      label={t('templateForm.maxMinutes')}
      description={t('templateForm.maxMinutesHelp')}
      inputMode="decimal"
      {...form.getInputProps('max_minutes')}
    />
  );
};
