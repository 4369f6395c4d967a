import type { ReactNode } from 'react';
import css from './overview.module.css';

interface SectionProps {
  /** Also the fragment of its address. */
  id: string;
  title: string;
  /** Number of its entries, or a text about it. */
  count?: string | undefined;
  /** Link to all of it. */
  more?: ReactNode;
  children: ReactNode;
}

/** A part of the overview with its heading. */
export const Section = ({ id, title, count, more, children }: SectionProps) => (
  <section className={css.section} id={id} aria-labelledby={`${id}-title`}>
    <div className={css.sectionHead}>
      <h2 id={`${id}-title`}>{title}</h2>
      {count === undefined ? null : <span className={css.count}>{count}</span>}
      {more === undefined ? null : <span className={css.more}>{more}</span>}
    </div>
    {children}
  </section>
);
