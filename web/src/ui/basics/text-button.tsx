import type { ReactNode } from 'react';
import css from './text-button.module.css';

/** A button styled as a link, for an action within a text or next to a label. */
export const TextButton = ({ onClick, children }: { onClick: () => void; children: ReactNode }) => (
  <button type="button" className={css.button} onClick={onClick}>
    {children}
  </button>
);
