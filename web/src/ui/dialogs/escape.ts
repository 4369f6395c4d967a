import { useEffect } from 'react';

/** Whether the element is part of an open list or menu, which `Esc` closes first. */
export const ownsEscape = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  (target.getAttribute('data-mantine-stop-propagation') === 'true' || target.closest('[role="menu"]') !== null);

/**
 * Closes a dialog with `Esc` after everything within it had the key: a part that uses the key stops the event. The library
 * itself takes the key before any part gets it.
 */
export const useEscape = (isOpen: boolean, onClose: () => void): void => {
  useEffect(() => {
    if (!isOpen) return;
    let pressed: KeyboardEvent | undefined;
    // A list that is open now is closed when the event comes back.
    const before = (event: KeyboardEvent) => {
      pressed = event.key === 'Escape' && !event.isComposing && !ownsEscape(event.target) ? event : undefined;
    };
    const after = (event: KeyboardEvent) => {
      if (event === pressed) onClose();
    };
    window.addEventListener('keydown', before, { capture: true });
    window.addEventListener('keydown', after);
    return () => {
      window.removeEventListener('keydown', before, { capture: true });
      window.removeEventListener('keydown', after);
    };
  }, [isOpen, onClose]);
};
