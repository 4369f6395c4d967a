import { useTranslation } from 'react-i18next';
import { useNow, useNowAs } from './clock.ts';
import { ago, durationText, exactTime, taskDuration } from './time.ts';

/** A moment as relative time, with the exact time as tooltip. */
export const Ago = ({ at }: { at: string }) => {
  const { t } = useTranslation();
  const text = useNowAs((now) => {
    const { key, count } = ago(at, now);
    return t(key, { count });
  });
  return (
    <time dateTime={at} title={exactTime(at)} className="nowrap">
      {text}
    </time>
  );
};

const Ticking = ({ start }: { start: string }) => {
  const now = useNow();
  return <span className="nowrap">{durationText(taskDuration({ start, end: null }, now) ?? 0)}</span>;
};

/** The duration of a task, which is updated each second while the task runs. */
export const Duration = ({ start, end }: { start: string | null; end: string | null }) => {
  if (start === null) return <span className="faint">–</span>;
  if (end === null) return <Ticking start={start} />;
  return <span className="nowrap">{durationText(taskDuration({ start, end }, 0) ?? 0)}</span>;
};
