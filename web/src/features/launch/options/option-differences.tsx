import type { Template } from '@signalbox/contract';
import type { TFunction } from 'i18next';
import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import { listText } from '../../../lang/locale.ts';
import { Alert } from '../../../ui/basics/alert.tsx';
import { signedText } from '../../../ui/forms/number-text.ts';
import { differences, type EarlierOptions, mayChange, type OptionValues, promptOf } from './option-values.ts';
import { useOptionObjects } from './use-option-objects.ts';

const labelsOf = (t: TFunction): Readonly<Record<keyof OptionValues, string>> => ({
  limit: t('newTask.limit'),
  tags: t('launch.tags'),
  skip_tags: t('launch.skipTags'),
  verbosity: t('launch.verbosity'),
  forks: t('launch.forks'),
  dry_run: t('newTask.dryRun'),
  diff: t('newTask.diff'),
  inventory_id: t('column.inventory'),
  environment_id: t('column.environment'),
  git_branch: t('launch.branch'),
  commit_hash: t('task.commit'),
  vaults: t('launch.vaults'),
  runner_tags: t('launch.runnerTags'),
  priority: t('launch.priority'),
  max_minutes: t('templateForm.maxMinutes'),
});

const NOTHING = '–';

/** Turns the values of options into texts. Objects have their names, and an empty value is what it means for the run. */
const useValueTexts = (template: Template): ((field: keyof OptionValues, values: OptionValues) => string) => {
  const { t } = useTranslation();
  const { inventories, environments, repositories, keys, nameOf } = useOptionObjects(template.project_id);
  const ownBranch = repositories?.find(({ id }) => id === template.repository_id)?.git_branch;
  const empty: Partial<Record<keyof OptionValues, string>> = {
    limit: t('launch.empty.limit'),
    tags: t('launch.empty.tags'),
    skip_tags: t('launch.empty.none'),
    forks: t('launch.empty.forks'),
    vaults: t('launch.empty.none'),
    max_minutes: t('launch.empty.time'),
  };
  return (field, values) => {
    const value = values[field];
    if (typeof value === 'boolean') return t(value ? 'answer.yes' : 'answer.no');
    if (field === 'verbosity') return values.verbosity === 0 ? t('launch.normal') : `-${'v'.repeat(values.verbosity)}`;
    const texts: Partial<Record<keyof OptionValues, string | undefined>> = {
      inventory_id: nameOf(inventories, values.inventory_id),
      environment_id: nameOf(environments, values.environment_id),
      git_branch: values.git_branch || ownBranch,
      tags: listText(values.tags),
      skip_tags: listText(values.skip_tags),
      runner_tags: listText(values.runner_tags) || t('launch.anyRunner'),
      priority: signedText(values.priority),
      vaults: listText(values.vaults.map(({ vault_key_id }) => nameOf(keys, String(vault_key_id)) ?? NOTHING)),
    };
    return (field in texts ? texts[field] : String(value)) || (empty[field] ?? NOTHING);
  };
};

interface DifferencesProps {
  template: Template;
  earlier: EarlierOptions;
}

/** Names the options of an earlier task, or of stored values, that the template fixes meanwhile with other values. */
export const LostOptions = ({
  template,
  earlier,
  message,
}: DifferencesProps & { /** The message that names the options. */ message: (options: string) => string }) => {
  const { t } = useTranslation();
  const valueText = useValueTexts(template);
  const labels = labelsOf(t);
  const { old, own, fields } = differences(template, earlier);
  const lost = fields.filter((field) => !mayChange(template, promptOf(field)));
  if (lost.length === 0) return null;
  const changes = lost.map((field) =>
    t('launch.changedTo', { option: labels[field], old: valueText(field, old), new: valueText(field, own) }),
  );
  return <Alert colour="stop">{message(changes.join(t('separator.comma')))}</Alert>;
};

/** Names the options that the form keeps although the template has other values today. */
export const KeptOptions = ({
  template,
  earlier,
  except,
}: DifferencesProps & { /** An option whose value has another origin. */ except: keyof OptionValues | undefined }) => {
  const { t } = useTranslation();
  const valueText = useValueTexts(template);
  const labels = labelsOf(t);
  const { old, own, fields } = differences(template, earlier);
  const kept = fields.filter((field) => field !== except && mayChange(template, promptOf(field)));
  if (kept.length === 0) return null;
  return (
    <>
      {' '}
      {t('launch.differs')}{' '}
      {kept.map((field, index) => (
        <Fragment key={field}>
          {index === 0 ? '' : t('separator.comma')}
          <b>{labels[field]}</b> {t('launch.instead', { old: valueText(field, old), new: valueText(field, own) })}
        </Fragment>
      ))}
      {t('separator.stop')}
    </>
  );
};
