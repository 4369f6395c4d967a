import { useTranslation } from 'react-i18next';
import css from './outcome-strip.module.css';
import { type Outcome, outcomeBars } from './outcomes.ts';

/** How the last ten tasks ended, newest at the right, in words for screen readers. */
export const OutcomeStrip = ({ tasks }: { tasks: readonly Outcome[] }) => {
  const { t } = useTranslation();
  const shown = tasks.slice(0, 10);
  if (shown.length === 0) return <span className="faint">–</span>;
  const count = (status: Outcome['status']) => shown.filter((task) => task.status === status).length;
  const label = t('outcomes.label', { success: count('success'), error: count('error'), stopped: count('stopped') });
  return (
    <svg className={css.strip} viewBox="0 0 78 24" role="img" aria-label={label}>
      <title>{label}</title>
      {outcomeBars(shown).map(({ kind, y, height }, at) => (
        <rect
          // biome-ignore lint/suspicious/noArrayIndexKey: the place in the strip is what a bar is
          key={at}
          className={css[kind]}
          x={at * 8 + (kind === 'none' ? 1.5 : kind === 'active' ? 0.75 : 0)}
          y={y}
          width={kind === 'none' ? 3 : kind === 'active' ? 4.5 : 6}
          height={height}
          rx={kind === 'none' ? 1.5 : 1}
        />
      ))}
    </svg>
  );
};
