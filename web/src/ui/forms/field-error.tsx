import type { ReactNode } from 'react';
import css from './field.module.css';

/** The error of a field that no component of the library shows. */
export const FieldError = ({ children, role, id }: { children: ReactNode; role?: 'alert'; id?: string }) => (
  <p className={css.error} role={role} id={id}>
    {children}
  </p>
);
