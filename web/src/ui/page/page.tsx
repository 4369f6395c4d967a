import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import css from './page.module.css';

/** Names the page in the tab. */
export const useTitle = (title: string): void => {
  const { t } = useTranslation();
  useEffect(() => {
    document.title = `${title} · ${t('product')}`;
  }, [title, t]);
};

/** The page's one heading with what can be done at its right. */
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

/** A line of tabs; the links inside carry `aria-current` themselves. */
export const Tabs = ({ label, children }: { label: string; children: ReactNode }) => {
  const line = useRef<HTMLElement>(null);
  const shown = useRef<Element>(null);
  // On a phone the line is wider than the window; where one is must be in it. Asking for places makes the browser lay out
  // all of the page, so it is done only where one is somewhere else than before.
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

/** Filters and the like, between the tabs and the table. */
export const Bar = ({ children }: { children: ReactNode }) => <div className={css.bar}>{children}</div>;

/** What stands where a list will be: what belongs here, and the first step. */
export const EmptyState = ({ title, text, children }: { title: string; text?: ReactNode; children?: ReactNode }) => (
  <div className={css.empty}>
    <h2>{title}</h2>
    {text ? <p>{text}</p> : null}
    {children ? <div className={css.emptyAction}>{children}</div> : null}
  </div>
);
