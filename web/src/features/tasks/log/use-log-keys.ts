import { type RefObject, useEffect, useRef } from 'react';

export interface LogKeys {
  search: () => void;
  /** Goes to another match; undefined without a search. */
  step: ((by: 1 | -1) => void) | undefined;
  scrollTo: (where: 'start' | 'end') => void;
}

const TYPING = 'input, textarea, select, [contenteditable="true"], [role="menu"], [role="listbox"]';

/** Whether a dialog covers the log, other than the dialog that contains the log. */
const isCovered = (panel: Element): boolean => {
  const top = [...document.querySelectorAll('[role="dialog"]')].at(-1);
  return top !== undefined && !top.contains(panel);
};

const actionOf = (event: KeyboardEvent, keys: LogKeys): (() => void) | undefined => {
  const { key, shiftKey } = event;
  const isCommand = event.ctrlKey || event.metaKey;
  if (event.altKey) return undefined;
  if (isCommand) return key === 'f' && !shiftKey ? keys.search : undefined;
  if (key === 'F3' && keys.step) return () => keys.step?.(shiftKey ? -1 : 1);
  if (event.target instanceof Element && event.target.closest(TYPING)) return undefined;
  // Some keyboards need Shift for the slash.
  if (key === '/') return keys.search;
  if (shiftKey) return undefined;
  if (key === 'Home') return () => keys.scrollTo('start');
  if (key === 'End') return () => keys.scrollTo('end');
  return undefined;
};

/** Handles the keys of the log wherever the focus is, unless a dialog covers the log. */
export const useLogKeys = (panel: RefObject<HTMLElement | null>, keys: LogKeys): void => {
  const newest = useRef(keys);
  useEffect(() => {
    newest.current = keys;
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || !panel.current || isCovered(panel.current)) return;
      const action = actionOf(event, newest.current);
      if (!action) return;
      event.preventDefault();
      event.stopPropagation();
      action();
    };
    // The capture phase comes before the handlers of the page behind the dialog.
    window.addEventListener('keydown', onKeyDown, true);
    return () => window.removeEventListener('keydown', onKeyDown, true);
  }, [panel]);
};
