import type { Task } from '@signalbox/contract';
import { endReasonText } from '@signalbox/lang';
import { useTranslation } from 'react-i18next';
import { useEndReasonTexts } from '../../../lang/end-reasons.ts';
import { EmptyState } from '../../../ui/page/page.tsx';
import { endingOf, TODO } from '../end-reason/remedies.ts';
import css from './hosts.module.css';

/** What a run without results waits for. */
const awaitedKey = ({ status, end }: Task): string => {
  if (end !== null) return 'awaited.never';
  if (status === 'waiting') return 'awaited.start';
  return status === 'starting' ? 'awaited.preparation' : 'awaited.result';
};

/** What failed before a host had a result, and what to do. The head of the task has the button that leads there. */
const EndedBefore = ({ task, reason }: { task: Task; reason: NonNullable<Task['end_reason']> }) => {
  const { t } = useTranslation();
  const makeText = useEndReasonTexts();
  return (
    <div className={css.awaited}>
      <EmptyState
        title={endReasonText(makeText, reason) ?? reason.text}
        text={`${t('awaited.never')} ${t(TODO[endingOf(task).remedy])}`}
      />
    </div>
  );
};

/** What a tab of a run shows later, and what it waits for. @param text what it shows, as a whole sentence */
export const AwaitedResults = ({ task, text }: { task: Task; text: string }) => {
  const { t } = useTranslation();
  if (task.status === 'error' && task.end_reason) return <EndedBefore task={task} reason={task.end_reason} />;
  return (
    <div className={css.awaited}>
      <EmptyState title={t('host.nothing')} text={`${t(awaitedKey(task))} ${task.end === null ? text : ''}`.trim()} />
    </div>
  );
};

/** Whether a task has not begun its run, so that nothing is loaded. */
export const isBeforeRun = ({ status }: Task): boolean => status === 'waiting' || status === 'starting';
