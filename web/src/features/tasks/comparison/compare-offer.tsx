import type { Task, TaskCommits, TaskComparison } from '@signalbox/contract';
import { useQuery } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { comparisonQuery } from '../../../api/run-queries.ts';
import { listText, numberText } from '../../../lang/locale.ts';
import { Button } from '../../../ui/basics/button.tsx';
import css from './comparison.module.css';
import { isContent } from './field-text.tsx';
import { useTaskCommits } from './use-task-commits.ts';

const CONTENT_LABELS = {
  inventory_content: 'offer.inventoryContent',
  environment_content: 'offer.environmentContent',
} as const;

/** How many commits, files, options, answers, versions and hosts differ. Kinds without a difference are left out. */
const counts = (t: TFunction, comparison: TaskComparison, commits: TaskCommits | undefined): string[] => {
  const { changed, answers, versions, hosts } = comparison;
  const options = changed.filter((field) => field !== 'commit_hash' && !isContent(field)).length;
  const kinds = [
    ['compare.commitCount', commits?.commit_count ?? Number(changed.includes('commit_hash'))],
    ['compare.fileCount', commits?.file_count ?? 0],
    ['offer.options', options],
    ['offer.answers', answers.length],
    ['offer.versions', versions.length],
    ['cluster.hosts', (hosts?.added_count ?? 0) + (hosts?.removed_count ?? 0)],
  ] as const;
  const counted = kinds.filter(([, count]) => count > 0);
  return [
    ...counted.map(([key, count]) => t(key, { count, number: numberText(count) })),
    ...changed.filter(isContent).map((field) => t(CONTENT_LABELS[field])),
  ];
};

/** Offers to compare a failed task with the last success, with how much differs. Nothing without a success. */
export const CompareOffer = ({ task, onCompare }: { task: Task; onCompare: () => void }) => {
  const { t } = useTranslation();
  const { data } = useQuery(comparisonQuery(task.project_id, task.id, undefined, true));
  const { isAsked, query } = useTaskCommits(task, data?.other ?? null);
  if (!data?.other) return null;
  const found = counts(t, data, query.data);
  return (
    <p className={css.offer}>
      <Button small onClick={onCompare}>
        {t('offer.compare', { id: data.other.id })}
      </Button>
      {isAsked && query.isPending ? null : (
        <span>{found.length === 0 ? t('offer.same') : t('offer.different', { list: listText(found) })}</span>
      )}
    </p>
  );
};
