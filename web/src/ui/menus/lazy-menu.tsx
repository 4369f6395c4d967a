import { type ButtonHTMLAttributes, cloneElement, type ReactElement, type ReactNode, Suspense, useState } from 'react';

/** A button, or a component that passes on what a button takes. */
export type ButtonElement = ReactElement<ButtonHTMLAttributes<HTMLButtonElement>>;

export interface OnIntentProps {
  /** Fetches the code of what opens. Called when a press is likely, and then again. */
  load: () => Promise<unknown>;
  button: ButtonElement;
  /** What opens, drawn around a button of its own; lazy. */
  children: ReactNode;
}

/** The button of a menu alone. The menu's code is fetched when somebody comes near, and the menu is drawn when pressed. */
export const OnIntent = ({ load, button, children }: OnIntentProps) => {
  const [isWanted, setWanted] = useState(false);
  // Failing here costs nothing: the press asks again.
  const preload = () => void load().catch(() => undefined);
  const standIn = cloneElement(button, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onPointerEnter: preload,
    onFocus: preload,
    onClick: () => setWanted(true),
  });
  return isWanted ? <Suspense fallback={standIn}>{children}</Suspense> : standIn;
};
