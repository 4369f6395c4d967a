import { type NavigateOptions, useRouter } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, MouseEvent } from 'react';

type Rest = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'>;

/** A click that means: here, now. Every other one is the browser's own, which opens tabs and windows. */
const isPlain = (event: MouseEvent): boolean =>
  event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;

interface PlainLinkProps extends Rest {
  href: string;
  go: NavigateOptions;
}

const PlainLink = ({ href, go, onClick, children, ...rest }: PlainLinkProps) => {
  const router = useRouter();
  return (
    <a
      {...rest}
      href={href}
      onClick={(event) => {
        onClick?.(event);
        if (event.defaultPrevented || !isPlain(event)) return;
        event.preventDefault();
        void router.navigate(go);
      }}
    >
      {children}
    </a>
  );
};

/** What the address says of the dialogs over a page. */
interface DialogSearch {
  t?: number;
  run?: number;
  again?: number;
  field?: 'limit';
}

/**
 * Opens a dialog over the page where the link stands; what else the address says stays. Unlike `Link` it follows no
 * navigation: of hundreds in a table, each would be drawn anew with every key that somebody types into the filter.
 */
export const DialogLink = ({ search, ...rest }: Rest & { search: DialogSearch }) => {
  const { pathname } = useRouter().history.location;
  const query = new URLSearchParams(Object.entries(search).map(([name, value]) => [name, String(value)]));
  return (
    <PlainLink
      {...rest}
      href={`${pathname}?${query}`}
      go={{ to: '.', search: (before) => ({ ...before, ...search }), resetScroll: false }}
    />
  );
};

/** Leads to another page, drawn once for its place; for rows of long tables, like `DialogLink`. */
export const RowLink = ({ go, ...rest }: Rest & { go: NavigateOptions }) => {
  const router = useRouter();
  const preload = () => void router.preloadRoute(go).catch(() => undefined);
  return <PlainLink {...rest} href={router.buildLocation(go).href} go={go} onMouseEnter={preload} onFocus={preload} />;
};
