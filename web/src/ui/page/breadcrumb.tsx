import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import css from './breadcrumb.module.css';

/** Links to the pages above a page, the nearest one last. A phone shows only that one, as a link back. */
export const Breadcrumb = ({ children }: { children: ReactNode }) => {
  const { t } = useTranslation();
  return (
    <nav className={css.breadcrumb} aria-label={t('shell.breadcrumb')}>
      {children}
    </nav>
  );
};
