import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import css from './page.module.css';

/** Sets the title of the browser tab. */
export const useTitle = (title: string): void => {
  const { t } = useTranslation();
  useEffect(() => {
    document.title = `${title} · ${t('product')}`;
  }, [title, t]);
};

/** The heading of the page with its buttons. */
export const PageHeader = ({
  title,
  before,
  children,
}: {
  title: string;
  before?: ReactNode;
  children?: ReactNode;
}) => {
  useTitle(title);
  return (
    <div className={css.head}>
      {before}
      <h1>
        <span className="two-lines" title={title}>
          {title}
        </span>
      </h1>
      {children ? <div className={css.actions}>{children}</div> : null}
    </div>
  );
};

/** A row of tabs. The active link inside has `aria-current`. */
export const Tabs = ({ label, children }: { label: string; children: ReactNode }) => {
  const line = useRef<HTMLElement>(null);
  const shown = useRef<Element>(null);
  // On a phone the tabs are wider than the window; the active one must be visible. Reading positions forces a layout,
  // so it is done only when the active tab changes.
  useEffect(() => {
    const at = line.current?.querySelector<HTMLElement>('[aria-current]');
    if (!line.current || !at || at === shown.current) return;
    shown.current = at;
    line.current.scrollLeft = at.offsetLeft + at.offsetWidth - line.current.clientWidth + 40;
  });
  return (
    <nav className={css.tabs} aria-label={label} ref={line}>
      {children}
    </nav>
  );
};

/** A row for filters, between the tabs and the table. */
export const Bar = ({ children }: { children: ReactNode }) => <div className={css.bar}>{children}</div>;

/** Shown in place of an empty list: what it is for, and the first step. */
export const EmptyState = ({ title, text, children }: { title: string; text?: ReactNode; children?: ReactNode }) => (
  <div className={css.empty}>
    <h2>{title}</h2>
    {text ? <p>{text}</p> : null}
    {children ? <div className={css.emptyAction}>{children}</div> : null}
  </div>
);
