import type { ReactNode } from 'react';
import css from './system-page.module.css';

/** Terms with their values, side by side as far as the width permits. A long value has a line of its own. */
export const Values = ({ values }: { values: readonly (readonly [string, ReactNode, 'long'?])[] }) => (
  <dl className={css.values}>
    {values.map(([term, value, length]) => (
      <div key={term} className={length && css.long}>
        <dt>{term}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);
