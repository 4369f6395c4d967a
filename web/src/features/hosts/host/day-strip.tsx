import type { HostRunOutcome } from '@signalbox/contract';
import { useTranslation } from 'react-i18next';
import css from './day-strip.module.css';

const [STEP, HEIGHT, MIDDLE] = [10, 14, 7];

/** The shape of one day. Outcomes differ by shape, not only by colour. */
const Day = ({ outcome, x }: { outcome: HostRunOutcome | null; x: number }) => {
  switch (outcome) {
    case null:
      return <circle className={css.none} cx={x} cy={MIDDLE} r="1" />;
    case 'ok':
      return <circle className={css.ok} cx={x} cy={MIDDLE} r="3" />;
    case 'changed':
      return <rect className={css.changed} x={x - 3.5} y={MIDDLE - 3.5} width="7" height="7" rx="1" />;
    case 'failed':
      return (
        <>
          <rect className={css.failed} x={x - 4.5} y={MIDDLE - 4.5} width="9" height="9" rx="1.5" />
          <path className={css.glyph} d={`m${x - 2} ${MIDDLE - 2} 4 4m0-4-4 4`} />
        </>
      );
    case 'unreachable':
      return (
        <>
          <circle className={css.unreachable} cx={x} cy={MIDDLE} r="3.75" />
          <path className={css.unreachable} d={`m${x - 2.6} ${MIDDLE + 2.6} 5.2-5.2`} />
        </>
      );
    case 'stopped':
      return <rect className={css.stopped} x={x - 3} y={MIDDLE - 3} width="6" height="6" rx="1" />;
  }
};

/** The worst outcome of each of the last days, today on the right, with a text for screen readers. */
export const DayStrip = ({ days }: { days: readonly (HostRunOutcome | null)[] }) => {
  const { t } = useTranslation();
  const count = (outcome: HostRunOutcome | null) => days.filter((day) => day === outcome).length;
  const label = t('hostPage.stripLabel', {
    ...{ total: days.length, ok: count('ok'), changed: count('changed'), failed: count('failed') },
    ...{ unreachable: count('unreachable'), stopped: count('stopped'), none: count(null) },
  });
  return (
    <svg className={css.strip} viewBox={`0 0 ${days.length * STEP} ${HEIGHT}`} role="img" aria-label={label}>
      <title>{label}</title>
      {days.map((outcome, day) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a day has no identity but its position
        <Day key={day} outcome={outcome} x={day * STEP + STEP / 2} />
      ))}
    </svg>
  );
};

const LEGEND: readonly (readonly [outcome: HostRunOutcome, labelKey: string])[] = [
  ['ok', 'host.ok'],
  ['changed', 'host.changed'],
  ['failed', 'host.failed'],
  ['unreachable', 'host.unreachable'],
  ['stopped', 'hostPage.stoppedDay'],
];

/** What the shapes of the strips mean. */
export const DayLegend = () => {
  const { t } = useTranslation();
  return (
    <ul className={css.legend} aria-label={t('hostPage.legend')}>
      {LEGEND.map(([outcome, labelKey]) => (
        <li key={outcome}>
          <svg viewBox={`0 0 ${STEP} ${HEIGHT}`} aria-hidden="true" focusable="false">
            <Day outcome={outcome} x={STEP / 2} />
          </svg>
          {t(labelKey)}
        </li>
      ))}
    </ul>
  );
};
