import type { Template } from '@signalbox/contract';
import { useTranslation } from 'react-i18next';
import type { PageApp } from '../../../apps/page-app.ts';
import { listText, numberText } from '../../../lang/locale.ts';
import { signedText } from '../../../ui/forms/number-text.ts';
import { HostPicker } from '../hosts/host-picker.tsx';
import type { LaunchHosts } from '../hosts/use-hosts.ts';
import type { NewTaskFormState } from '../new-task-form.tsx';
import { SLOT, type TextPart } from './launch-text.tsx';
import {
  BranchEditor,
  DurationEditor,
  ForksEditor,
  ListedLimit,
  ObjectEditor,
  PriorityEditor,
  RunnerTagsEditor,
  StepsEditor,
  VaultsEditor,
  VerbosityEditor,
} from './option-editors.tsx';
import { isChanged, mayChange, mustChooseRunner, type OptionValues, permitted, promptOf } from './option-values.ts';
import { useOptionObjects } from './use-option-objects.ts';

export interface LaunchPartsProps {
  form: NewTaskFormState;
  template: Template;
  app: PageApp;
  hosts: LaunchHosts;
  /** The version that a deploy will run. */
  version: string | undefined;
  /** Whether the host picker has the focus when it opens. */
  focusHosts: boolean;
  /** False for guests, who can change nothing. */
  mayRun: boolean;
  /** False where no single commit can be chosen, as in a schedule. */
  hasCommit?: boolean;
}

/** The parts of the text about the options of the run, in the order in which they are read. */
export const useLaunchParts = (props: LaunchPartsProps): TextPart[] => {
  const { form, template, app, hosts, version, focusHosts, mayRun, hasCommit = true } = props;
  const { features } = app;
  const { t } = useTranslation();
  const { inventories, environments, repositories, keys, ...objects } = useOptionObjects(template.project_id);
  const { values, errors } = form;
  const nameOf = (...object: Parameters<typeof objects.nameOf>) => objects.nameOf(...object) ?? '–';
  const isOpenTo = (field: keyof OptionValues) => mayRun && mayChange(template, promptOf(field));
  const changed = (...fields: (keyof OptionValues)[]) => fields.some((field) => isChanged(template, values, field));
  const branch = values.git_branch || (repositories?.find(({ id }) => id === template.repository_id)?.git_branch ?? '');

  const hostsValue = (): string => {
    const { inventory, matching, isLimited } = hosts;
    if (matching && inventory)
      return isLimited
        ? t('launch.someHosts', {
            count: inventory.hosts.length,
            all: numberText(inventory.hosts.length),
            matching: numberText(matching.length),
          })
        : t('launch.allHosts', { count: inventory.hosts.length, number: numberText(inventory.hosts.length) });
    return values.limit.trim() === '' ? t('launch.everyHost') : values.limit;
  };

  const stepsValue = (): string => {
    const { tags, skip_tags: skipped } = values;
    if (tags.length > 0 && skipped.length > 0)
      return t('launch.tagsButNot', { tags: listText(tags), skipped: listText(skipped) });
    if (tags.length > 0) return t('launch.onlyTags', { tags: listText(tags) });
    return skipped.length > 0 ? t('launch.notTags', { skipped: listText(skipped) }) : t('launch.everyStep');
  };

  const editor = { form, template };
  const parts: (TextPart | false)[] = [
    {
      field: 'git_branch',
      label: t('launch.branch'),
      phrase: t('launch.part.branch', { value: SLOT }),
      continues: true,
      value: values.commit_hash.trim() === '' ? branch || t('launch.defaultBranch') : values.commit_hash.slice(0, 8),
      isMono: true,
      isChanged: changed('git_branch', 'commit_hash'),
      error: errors.git_branch ?? errors.commit_hash,
      editor: isOpenTo('git_branch') && <BranchEditor {...editor} hasCommit={hasCommit} />,
    },
    features.limit && {
      field: 'limit',
      label: t('newTask.limit'),
      phrase: t('launch.part.hosts', { value: SLOT }),
      continues: true,
      value: hostsValue(),
      isChanged: changed('limit'),
      error: errors.limit,
      editor:
        isOpenTo('limit') &&
        (permitted(template, 'limit') === 'any' ? (
          <HostPicker
            hosts={hosts}
            value={values.limit}
            onChange={(pattern) => form.setFieldValue('limit', pattern)}
            version={version}
            error={errors.limit}
            autoFocus={focusHosts}
          />
        ) : (
          <ListedLimit {...editor} />
        )),
    },
    features.inventory && {
      field: 'inventory_id',
      label: t('column.inventory'),
      phrase: t('launch.part.inventory', { value: SLOT }),
      continues: true,
      value: nameOf(inventories, values.inventory_id),
      isChanged: changed('inventory_id'),
      error: errors.inventory_id,
      editor: isOpenTo('inventory_id') && <ObjectEditor {...editor} field="inventory_id" items={inventories} />,
    },
    (isOpenTo('environment_id') || changed('environment_id')) && {
      field: 'environment_id',
      label: t('column.environment'),
      phrase: t('launch.part.environment', { value: SLOT }),
      value: nameOf(environments, values.environment_id),
      isChanged: changed('environment_id'),
      error: errors.environment_id,
      editor: isOpenTo('environment_id') && <ObjectEditor {...editor} field="environment_id" items={environments} />,
    },
    features.arguments &&
      (isOpenTo('tags') || isOpenTo('skip_tags') || values.tags.length + values.skip_tags.length > 0) && {
        field: 'tags',
        label: t('launch.steps'),
        phrase: SLOT,
        value: stepsValue(),
        isChanged: changed('tags', 'skip_tags'),
        error: errors.tags ?? errors.skip_tags,
        editor: (isOpenTo('tags') || isOpenTo('skip_tags')) && <StepsEditor {...editor} />,
      },
    features.arguments &&
      (isOpenTo('forks') || values.forks !== '') && {
        field: 'forks',
        label: t('launch.forks'),
        phrase: SLOT,
        value:
          values.forks.trim() === ''
            ? t('launch.usualForks')
            : t('launch.forksAtOnce', { count: Number(values.forks) || 0, number: values.forks }),
        isChanged: changed('forks'),
        error: errors.forks,
        editor: isOpenTo('forks') && <ForksEditor {...editor} />,
      },
    // Without a button there is nothing to state about a run that changes hosts, as runs do.
    features.checkMode &&
      (isOpenTo('dry_run') || values.dry_run) && {
        field: 'dry_run',
        label: t('newTask.dryRun'),
        phrase: SLOT,
        value: values.dry_run ? t('launch.dryRun') : t('launch.realRun'),
        isChanged: changed('dry_run'),
        error: errors.dry_run,
        ...(isOpenTo('dry_run') ? { toggle: () => form.setFieldValue('dry_run', !values.dry_run) } : {}),
      },
    features.diff &&
      (isOpenTo('diff') || values.diff) && {
        field: 'diff',
        label: t('newTask.diff'),
        phrase: SLOT,
        value: values.diff ? t('launch.withDiff') : t('launch.withoutDiff'),
        isChanged: changed('diff'),
        error: errors.diff,
        ...(isOpenTo('diff') ? { toggle: () => form.setFieldValue('diff', !values.diff) } : {}),
      },
    (isOpenTo('verbosity') || values.verbosity > 0) && {
      field: 'verbosity',
      label: t('launch.verbosity'),
      phrase: SLOT,
      value:
        values.verbosity === 0
          ? t('launch.normalOutput')
          : t('launch.moreOutput', { option: `-${'v'.repeat(values.verbosity)}` }),
      isChanged: changed('verbosity'),
      error: errors.verbosity,
      editor: isOpenTo('verbosity') && <VerbosityEditor {...editor} />,
    },
    features.vault &&
      (isOpenTo('vaults') || changed('vaults')) && {
        field: 'vaults',
        label: t('launch.vaults'),
        phrase:
          values.vaults.length === 0 ? SLOT : t('launch.part.vaults', { count: values.vaults.length, value: SLOT }),
        value:
          values.vaults.length === 0
            ? t('launch.noVaults')
            : listText(values.vaults.map(({ vault_key_id }) => nameOf(keys, String(vault_key_id)))),
        isChanged: changed('vaults'),
        error: errors.vaults,
        editor: isOpenTo('vaults') && <VaultsEditor {...editor} />,
      },
    (isOpenTo('runner_tags') || values.runner_tags.length > 0) && {
      field: 'runner_tags',
      label: t('launch.runnerTags'),
      phrase:
        values.runner_tags.length === 0
          ? SLOT
          : t('launch.part.runner', { count: values.runner_tags.length, value: SLOT }),
      value:
        values.runner_tags.length === 0
          ? t(mustChooseRunner(template, values) ? 'launch.chooseRunner' : 'launch.anyRunner')
          : listText(values.runner_tags),
      isChanged: changed('runner_tags'),
      error: errors.runner_tags,
      editor: isOpenTo('runner_tags') && <RunnerTagsEditor {...editor} />,
    },
    (isOpenTo('priority') || values.priority !== 0) && {
      field: 'priority',
      label: t('launch.priority'),
      phrase: t('launch.part.priority', { value: SLOT }),
      value: values.priority === 0 ? t('launch.normalPriority') : signedText(values.priority),
      isChanged: changed('priority'),
      error: errors.priority,
      editor: isOpenTo('priority') && <PriorityEditor {...editor} />,
    },
    (isOpenTo('max_minutes') || values.max_minutes !== '') && {
      field: 'max_minutes',
      label: t('templateForm.maxMinutes'),
      phrase: SLOT,
      value:
        values.max_minutes.trim() === ''
          ? t('launch.noTimeLimit')
          : t('launch.timeLimit', { minutes: values.max_minutes }),
      isChanged: changed('max_minutes'),
      error: errors.max_minutes,
      editor: isOpenTo('max_minutes') && <DurationEditor {...editor} />,
    },
  ];
  return parts
    .filter((part) => part !== false)
    .map(({ editor: inputs, ...part }) => ({ ...part, ...(inputs ? { editor: inputs } : {}) }));
};
