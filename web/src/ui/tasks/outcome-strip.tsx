import { useTranslation } from 'react-i18next';
import table from '../lists/table.module.css';
import css from './outcome-strip.module.css';
import { type Bar, type Outcome, outcomeBars } from './outcomes.ts';

const WIDTHS: Readonly<Record<Bar['kind'], number>> = { ok: 6, error: 6, stop: 6, active: 4.5, none: 3 };

/** Bars of one kind are combined into one path: a page of templates has thousands of them. */
const pathsOf = (bars: readonly Bar[]): Map<Bar['kind'], string> => {
  const paths = new Map<Bar['kind'], string>();
  bars.forEach(({ kind, y, height }, at) => {
    const width = WIDTHS[kind];
    const round = kind === 'none' ? width / 2 : 1;
    const [across, down] = [width - 2 * round, height - 2 * round];
    const corner = (x: number, dy: number) => `a${round} ${round} 0 0 1 ${x} ${dy}`;
    const bar = [
      `M${at * 8 + (6 - width) / 2 + round} ${y}`,
      `h${across}${corner(round, round)}v${down}${corner(-round, round)}`,
      `h${-across}${corner(-round, -round)}v${-down}${corner(round, -round)}z`,
    ];
    paths.set(kind, `${paths.get(kind) ?? ''}${bar.join('')}`);
  });
  return paths;
};

/** How the last ten tasks ended, newest on the right, with a text for screen readers. Undefined while they load. */
export const OutcomeStrip = ({ tasks }: { tasks: readonly Outcome[] | undefined }) => {
  const { t } = useTranslation();
  if (tasks === undefined) return <span className={`${table.skeleton} ${css.loading}`} />;
  const shown = tasks.slice(0, 10);
  if (shown.length === 0) return <span className="faint">–</span>;
  const count = (status: Outcome['status']) => shown.filter((task) => task.status === status).length;
  const label = t('outcomes.label', { success: count('success'), error: count('error'), stopped: count('stopped') });
  return (
    <svg className={css.strip} viewBox="0 0 78 24" role="img" aria-label={label}>
      <title>{label}</title>
      {[...pathsOf(outcomeBars(shown))].map(([kind, path]) => (
        <path key={kind} className={css[kind]} d={path} />
      ))}
    </svg>
  );
};
