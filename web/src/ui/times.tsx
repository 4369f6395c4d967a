import { useTranslation } from 'react-i18next';
import { useNow } from './clock.ts';
import { ago, durationText, exactTime, taskDuration } from './time.ts';

/** A moment as people say it, with the exact time on hover. */
export const Ago = ({ at }: { at: string }) => {
  const { t } = useTranslation();
  const { key, count } = ago(at, useNow());
  return (
    <time dateTime={at} title={exactTime(at)} className="nowrap">
      {t(key, { count })}
    </time>
  );
};

const Ticking = ({ start }: { start: string }) => {
  const now = useNow();
  return <span className="nowrap">{durationText(taskDuration({ start, end: null }, now) ?? 0)}</span>;
};

/** The duration of a task; ticks while it runs. */
export const Duration = ({ start, end }: { start: string | null; end: string | null }) => {
  if (start === null) return <span className="faint">–</span>;
  if (end === null) return <Ticking start={start} />;
  return <span className="nowrap">{durationText(taskDuration({ start, end }, 0) ?? 0)}</span>;
};
