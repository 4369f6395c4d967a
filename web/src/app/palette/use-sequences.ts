import { useEffect, useRef } from 'react';

/** How long the second key of a sequence is waited for, in milliseconds. */
const WAIT_MS = 1200;

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName));

/** Calls what stands for two keys pressed one after the other, outside of fields and without a dialog in front. */
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
