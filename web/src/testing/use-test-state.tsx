import { type ReactNode, useState } from 'react';

interface HeldStateProps<T extends object> {
  start: T;
  children: (state: T, onState: (change: T) => void) => ReactNode;
  /** Hears every change, as an address would. */
  onChange?: (state: T) => void;
}

/** Holds the state of a list as the address holds it on the page. */
export const HeldState = <T extends object>({ start, children, onChange }: HeldStateProps<T>) => {
  const [state, setState] = useState(start);
  return children(state, (change) => {
    const next = { ...state, ...change };
    setState(next);
    onChange?.(next);
  });
};
