import type { Task } from '@signalbox/contract';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../../ui/page/page.tsx';

/** What a run without results waits for. */
const awaitedKey = ({ status, end }: Task): string => {
  if (end !== null) return 'awaited.never';
  if (status === 'waiting') return 'awaited.start';
  return status === 'starting' ? 'awaited.preparation' : 'awaited.result';
};

/** What a tab of a run shows later, and what it waits for. @param text what it shows, as a whole sentence */
export const AwaitedResults = ({ task, text }: { task: Task; text: string }) => {
  const { t } = useTranslation();
  return (
    <EmptyState title={t('host.nothing')} text={`${t(awaitedKey(task))} ${task.end === null ? text : ''}`.trim()} />
  );
};

/** Whether a task has not begun its run, so that nothing is loaded. */
export const isBeforeRun = ({ status }: Task): boolean => status === 'waiting' || status === 'starting';
