import { type NavigateOptions, useRouter } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, MouseEvent } from 'react';

type Rest = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'>;

/** A click without modifier keys. Other clicks are left to the browser, which opens tabs and windows. */
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

/** Search parameters of the dialogs over a page. */
interface DialogSearch {
  t?: number;
  tab?: 'log' | 'hosts' | 'timeline' | 'compare' | undefined;
  line?: number | undefined;
  with?: number | undefined;
  find?: undefined;
  step?: string | undefined;
  run?: number;
  again?: number;
  launch?: number;
  schedule?: number;
  field?: 'limit';
}

/**
 * Link that opens a dialog over the current page and keeps the other search parameters. Unlike `Link` it does not
 * subscribe to navigation: hundreds of links in a table would be rendered again with each key typed into the filter.
 */
export const DialogLink = ({ search, ...rest }: Rest & { search: DialogSearch }) => {
  const { pathname } = useRouter().history.location;
  const given = Object.entries(search).filter(([, value]) => value !== undefined);
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  return (
    <PlainLink
      {...rest}
      href={`${pathname}?${query}`}
      go={{ to: '.', search: (before) => ({ ...before, ...search }), resetScroll: false }}
    />
  );
};

/** Link to another page for rows of long tables. Like `DialogLink` it does not subscribe to navigation. */
export const RowLink = ({ go, ...rest }: Rest & { go: NavigateOptions }) => {
  const router = useRouter();
  const preload = () => void router.preloadRoute(go).catch(() => undefined);
  return <PlainLink {...rest} href={router.buildLocation(go).href} go={go} onMouseEnter={preload} onFocus={preload} />;
};
