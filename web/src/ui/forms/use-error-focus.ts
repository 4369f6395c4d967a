import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';

const WRONG = '[aria-invalid="true"], [data-invalid] input, [data-wrong]';

interface ErrorFocus<E extends HTMLElement> {
  /** The element that contains the fields. */
  readonly fields: RefObject<E | null>;
  /** Focuses the first field with an error, if there is one, once it is shown. */
  readonly focusError: () => void;
}

/** Scrolls to the first field with an error and focuses it, so that screen readers announce its message. */
export const useErrorFocus = <E extends HTMLElement>(): ErrorFocus<E> => {
  const fields = useRef<E>(null);
  const [refusals, setRefusals] = useState(0);
  useEffect(() => {
    if (refusals === 0) return;
    const wrong = [...(fields.current?.querySelectorAll<HTMLElement>(WRONG) ?? [])];
    // The button of an option only unfolds the field.
    const first = wrong.find((element) => element.tagName !== 'BUTTON') ?? wrong[0];
    first?.focus({ preventScroll: true });
    first?.scrollIntoView({ block: 'center' });
  }, [refusals]);
  const focusError = useCallback(() => setRefusals((count) => count + 1), []);
  return { fields, focusError };
};
