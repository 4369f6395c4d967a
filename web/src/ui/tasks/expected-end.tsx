import type { TaskExpectation } from '@signalbox/contract';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useNow } from '../time/clock.ts';
import { roughDuration } from '../time/time.ts';
import { doneShare } from './done-share.ts';

type Expected = Partial<TaskExpectation> & { readonly start: string | null; readonly end: string | null };

/** Below this many milliseconds, the rest has no number. */
const ALMOST_MS = 3_000;

/**
 * When a running task is expected to end and how much is done; nothing if that is unknown.
 * @param before separates it from what is before it
 */
export const ExpectedEnd = ({ task, before = '' }: { task: Expected; before?: ReactNode }) => {
  const { t } = useTranslation();
  const now = useNow();
  const { expected_end: end, longer_than_usual: isLonger } = task;
  const share = doneShare(task, now);
  if (task.end !== null) return null;
  if (isLonger)
    return (
      <>
        {before}
        <span className="wait">{t('expected.longer')}</span>
      </>
    );
  if (!end || share === null) return null;
  const left = Date.parse(end) - now;
  const values = {
    percent: Math.round(share * 100),
    ...roughDuration(left),
  };
  const text = left < ALMOST_MS ? t('expected.almost') : t(values.key, values);
  return (
    <>
      {before}
      <span title={t('expected.title')}>{text}</span>
    </>
  );
};
