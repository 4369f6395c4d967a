import type { Task, Template } from '@signalbox/contract';
import { useTranslation } from 'react-i18next';
import { listText } from '../../../lang/locale.ts';
import { Alert } from '../../../ui/basics/alert.tsx';
import { lostOptions, type OptionValues } from './option-values.ts';

/** Names the options of an earlier task that the template fixes meanwhile with other values. */
export const LostOptions = ({ template, earlier }: { template: Template; earlier: Task }) => {
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
  return (
    <Alert colour="stop">
      {t('launch.lost', { id: earlier.id, options: listText(lost.map((field) => labels[field])) })}
    </Alert>
  );
};
