import { useEffect, useId } from 'react';

/** Whether the element is part of an open list or menu, which `Esc` closes first. */
export const ownsEscape = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  (target.getAttribute('data-mantine-stop-propagation') === 'true' || target.closest('[role="menu"]') !== null);

/** The open dialogs, the newest last. */
const opened: string[] = [];

/**
 * Closes a dialog with `Esc`, unless another one is open over it, after everything within it had the key: a part that uses
 * the key stops the event. The library itself takes the key before any part gets it.
 */
export const useEscape = (isOpen: boolean, onClose: () => void): void => {
  const id = useId();
  useEffect(() => {
    if (!isOpen) return;
    opened.push(id);
    return () => void opened.splice(opened.indexOf(id), 1);
  }, [isOpen, id]);
  useEffect(() => {
    if (!isOpen) return;
    let pressed: KeyboardEvent | undefined;
    // A list or a dialog that is open now is closed when the event comes back.
    const before = (event: KeyboardEvent) => {
      const isMeant = event.key === 'Escape' && !event.isComposing && !ownsEscape(event.target);
      pressed = isMeant && opened.at(-1) === id ? event : undefined;
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
  }, [isOpen, onClose, id]);
};
