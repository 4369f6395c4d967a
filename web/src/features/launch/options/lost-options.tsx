import type { Template } from '@signalbox/contract';
import { useTranslation } from 'react-i18next';
import { listText } from '../../../lang/locale.ts';
import { Alert } from '../../../ui/basics/alert.tsx';
import { type EarlierOptions, lostOptions, type OptionValues } from './option-values.ts';

interface LostOptionsProps {
  template: Template;
  earlier: EarlierOptions;
  /** The message that names the options. */
  message: (options: string) => string;
}

/** Names the options of an earlier task, or of stored values, that the template fixes meanwhile with other values. */
export const LostOptions = ({ template, earlier, message }: LostOptionsProps) => {
  const { t } = useTranslation();
  const labels: Readonly<Record<keyof OptionValues, string>> = {
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
    max_minutes: t('templateForm.maxMinutes'),
  };
  const lost = lostOptions(template, earlier);
  if (lost.length === 0) return null;
  return <Alert colour="stop">{message(listText(lost.map((field) => labels[field])))}</Alert>;
};
