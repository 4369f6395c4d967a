import { type ButtonHTMLAttributes, cloneElement, type ReactElement, type ReactNode, Suspense, useState } from 'react';

/** A button, or a component that passes on button properties. */
export type ButtonElement = ReactElement<ButtonHTMLAttributes<HTMLButtonElement>>;

export interface LazyMenuProps {
  /** Loads the code of the menu. Called when a click is likely, and again on the click. */
  load: () => Promise<unknown>;
  button: ButtonElement;
  /** The lazy menu, with a button of its own. */
  children: ReactNode;
}

/**
 * The button of a menu. The code of the menu is loaded when the pointer or the focus reaches the button, and rendered
 * on the click.
 */
export const LazyMenu = ({ load, button, children }: LazyMenuProps) => {
  const [isOpen, setOpen] = useState(false);
  // A failed preload is ignored: the click loads again.
  const preload = () => void load().catch(() => undefined);
  const placeholder = cloneElement(button, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onPointerEnter: preload,
    onFocus: preload,
    onClick: () => setOpen(true),
  });
  return isOpen ? <Suspense fallback={placeholder}>{children}</Suspense> : placeholder;
};
