import type { ReactNode } from 'react';
import css from './system-page.module.css';

/** Terms with their values, side by side as far as the width permits. */
export const Values = ({ values }: { values: readonly (readonly [string, ReactNode])[] }) => (
  <dl className={css.values}>
    {values.map(([term, value]) => (
      <div key={term}>
        <dt>{term}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);
