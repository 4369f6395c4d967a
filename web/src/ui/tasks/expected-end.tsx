import type { TaskExpectation } from '@signalbox/contract';
import { useTranslation } from 'react-i18next';
import { useNow } from '../time/clock.ts';
import { roughDuration } from '../time/time.ts';

type Expected = Partial<TaskExpectation> & { readonly end: string | null };

/** Below this many milliseconds, the rest has no number. */
const ALMOST_MS = 3_000;

/** When a running task is expected to end and how much is done; nothing if that is unknown. */
export const ExpectedEnd = ({ task }: { task: Expected }) => {
  const { t } = useTranslation();
  const now = useNow();
  const { expected_end: end, done_share: share, longer_than_usual: isLonger } = task;
  if (task.end !== null || !end || share === null || share === undefined) return null;
  const left = Date.parse(end) - now;
  if (isLonger) return <span className="wait">{t('expected.longer')}</span>;
  const values = { percent: Math.round(share * 100), ...roughDuration(left) };
  return <span title={t('expected.title')}>{left < ALMOST_MS ? t('expected.almost') : t(values.key, values)}</span>;
};
