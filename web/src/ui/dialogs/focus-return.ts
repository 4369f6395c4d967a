import { useEffect, useState } from 'react';

/** Where the focus was before any dialog took it. */
let outside: Element | undefined;

const nameOf = (element: Element): string =>
  [
    element.localName,
    element.getAttribute('href') ?? '',
    element.getAttribute('aria-label') ?? element.textContent ?? '',
  ].join('\n');

/** The element itself, or the one that stands for it where the page was drawn anew meanwhile. */
const standIn = (opener: Element, name: string): Element | undefined =>
  opener.isConnected
    ? opener
    : [...document.querySelectorAll(opener.localName)].find((element) => nameOf(element) === name);

const isLost = (): boolean => document.activeElement === null || document.activeElement === document.body;

const noteOpener = () => {
  const opener = document.activeElement ?? document.body;
  if (opener !== document.body && !opener.closest('[role="dialog"]')) outside = opener;
  return [opener, outside ?? opener].map((element) => ({ element, name: nameOf(element) }));
};

/** When a dialog goes, gives the focus back to what had it when the dialog came, unless something else has taken it. */
export const useFocusReturn = (): void => {
  // Noted while the dialog is drawn for the first time: what is in it takes the focus at once.
  const [openers] = useState(noteOpener);
  useEffect(
    () => () => {
      setTimeout(() => {
        if (!isLost()) return;
        const to = openers
          .filter(({ element }) => element !== document.body)
          .map(({ element, name }) => standIn(element, name))
          .find((element) => element !== undefined);
        if (to instanceof HTMLElement) to.focus({ preventScroll: true });
      });
    },
    [openers],
  );
};
