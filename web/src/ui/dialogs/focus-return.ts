import { useEffect, useState } from 'react';

/** The last focused element outside of dialogs. */
let outside: Element | undefined;

const nameOf = (element: Element): string =>
  [
    element.localName,
    element.getAttribute('href') ?? '',
    element.getAttribute('aria-label') ?? element.textContent ?? '',
  ].join('\n');

/** The element itself, or the element that replaced it when the page was rendered again. */
const currentElement = (opener: Element, name: string): Element | undefined =>
  opener.isConnected
    ? opener
    : [...document.querySelectorAll(opener.localName)].find((element) => nameOf(element) === name);

const isLost = (): boolean => document.activeElement === null || document.activeElement === document.body;

const noteOpener = () => {
  const opener = document.activeElement ?? document.body;
  if (opener !== document.body && !opener.closest('[role="dialog"]')) outside = opener;
  return [opener, outside ?? opener].map((element) => ({ element, name: nameOf(element) }));
};

/**
 * When a dialog closes, returns the focus to the element that had it when the dialog opened, unless another element has
 * taken it.
 */
export const useFocusReturn = (): void => {
  // Stored during the first render: content of the dialog takes the focus right after it.
  const [openers] = useState(noteOpener);
  useEffect(
    () => () => {
      setTimeout(() => {
        if (!isLost()) return;
        const to = openers
          .filter(({ element }) => element !== document.body)
          .map(({ element, name }) => currentElement(element, name))
          .find((element) => element !== undefined);
        if (to instanceof HTMLElement) to.focus({ preventScroll: true });
      });
    },
    [openers],
  );
};
