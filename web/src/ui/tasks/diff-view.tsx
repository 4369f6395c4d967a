import { diffLines } from './diff-text.ts';
import css from './diff-view.module.css';

/** Numbers of added and of removed lines. */
export const LineCounts = ({ added, removed }: { added: number; removed: number }) => (
  <span className={css.counts}>
    <span className={css.plus}>+{added}</span> <span className={css.minus}>−{removed}</span>
  </span>
);

/** Differences in the unified format, without headers: the title names the file. */
export const DiffView = ({ lines }: { lines: readonly string[] }) => (
  <pre className={css.diff}>
    {diffLines(lines)
      .filter(({ kind }) => kind !== 'header')
      .map(({ kind, text }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line has no identity but its position
        <span key={at} className={css[kind]}>
          {text}
          {'\n'}
        </span>
      ))}
  </pre>
);
