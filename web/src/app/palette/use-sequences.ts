import { useEffect, useRef } from 'react';

/** How long a sequence waits for its second key, in milliseconds. */
const WAIT_MS = 1200;

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName));

/**
 * Calls the action of two keys that are pressed one after the other. Ignores keys in fields and while a dialog is open.
 */
export const useSequences = (first: string, seconds: Readonly<Record<string, () => void>>): void => {
  const known = useRef(seconds);
  known.current = seconds;
  useEffect(() => {
    let since = Number.NEGATIVE_INFINITY;
    const onKey = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (document.querySelector('[role="dialog"]')) return;
      if (event.timeStamp - since < WAIT_MS) {
        since = Number.NEGATIVE_INFINITY;
        const work = known.current[event.key];
        if (!work) return;
        event.preventDefault();
        work();
      } else if (event.key === first) since = event.timeStamp;
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [first]);
};
