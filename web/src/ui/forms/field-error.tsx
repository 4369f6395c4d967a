import type { ReactNode } from 'react';
import css from './field.module.css';

/** The error of a field that no component of the library shows. */
export const FieldError = ({ children, role }: { children: ReactNode; role?: 'alert' }) => (
  <p className={css.error} role={role}>
    {children}
  </p>
);
