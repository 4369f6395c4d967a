import { type ReactNode, useState } from 'react';

interface TestStateProps<T extends object> {
  start: T;
  children: (state: T, onState: (change: T) => void) => ReactNode;
  /** Called with every change. */
  onChange?: (state: T) => void;
}

/** Keeps the state of a list, as the URL does on the page. */
export const TestState = <T extends object>({ start, children, onChange }: TestStateProps<T>) => {
  const [state, setState] = useState(start);
  return children(state, (change) => {
    const next = { ...state, ...change };
    setState(next);
    onChange?.(next);
  });
};
