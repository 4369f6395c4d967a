import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import css from './tooltip.module.css';

/** How long the pointer rests on a control before its tooltip is shown, in milliseconds. */
const REST_MS = 400;
/** For this time after a tooltip was hidden, the next one is shown at once, in milliseconds. */
const WARM_MS = 600;
/** Distance to the edges of the window, in pixels. */
const EDGE = 8;

interface Shown {
  readonly owner: Element;
  readonly text: string;
  readonly keys: readonly string[];
}

const OWNER = '[data-tooltip]';

const ownerOf = (target: EventTarget | null): Element | null =>
  target instanceof Element ? target.closest(OWNER) : null;

const contentOf = (owner: Element): Shown => ({
  owner,
  text: owner.getAttribute('data-tooltip') ?? '',
  keys: (owner.getAttribute('data-tooltip-keys') ?? '').split(' ').filter(Boolean),
});

/** The control whose tooltip is shown: under the resting pointer, or focused by keyboard. */
const useShown = (): Shown | undefined => {
  const [shown, setShown] = useState<Shown>();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let current: Element | undefined;
    /** The control whose tooltip a key or a press has hidden. */
    let dismissed: Element | undefined;
    let hiddenAt = Number.NEGATIVE_INFINITY;
    const hide = (): void => {
      clearTimeout(timer);
      if (current) hiddenAt = performance.now();
      current = undefined;
      setShown(undefined);
    };
    const show = (owner: Element): void => {
      current = owner;
      setShown(contentOf(owner));
    };
    const onPointer = ({ target, pointerType }: PointerEvent): void => {
      // The pointer may move over the tooltip itself.
      if (target instanceof Element && target.closest('[role="tooltip"]')) return;
      const owner = ownerOf(target);
      if (owner === (current ?? dismissed ?? null)) return;
      dismissed = undefined;
      hide();
      if (!owner || pointerType === 'touch') return;
      const isWarm = performance.now() - hiddenAt < WARM_MS;
      timer = setTimeout(() => show(owner), isWarm ? 0 : REST_MS);
    };
    const onFocus = ({ target }: FocusEvent): void => {
      const owner = ownerOf(target);
      if (owner?.matches(':focus-visible')) show(owner);
      else hide();
    };
    const stop = new AbortController();
    const { signal } = stop;
    document.addEventListener('pointerover', onPointer, { signal });
    document.addEventListener('focusin', onFocus, { signal });
    const dismiss = ({ target }: Event): void => {
      dismissed = current ?? ownerOf(target) ?? undefined;
      hide();
    };
    document.addEventListener('keydown', dismiss, { signal });
    document.addEventListener('pointerdown', dismiss, { signal });
    document.addEventListener('focusout', hide, { signal });
    const onScroll = ({ target }: Event): void => {
      if (current && target instanceof Node && target.contains(current)) hide();
    };
    document.addEventListener('scroll', onScroll, { signal, capture: true, passive: true });
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, []);
  return shown;
};

/**
 * The tooltip of every control with `data-tooltip`, with the keys of `data-tooltip-keys`: below it, or at the side that
 * `data-tooltip-side` names. Screen readers get the same
 * from the name of the control and `aria-keyshortcuts`.
 */
export const Tooltip = () => {
  const shown = useShown();
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (!shown || !box.current) return;
    const owner = shown.owner.getBoundingClientRect();
    const { width, height } = box.current.getBoundingClientRect();
    const isAtSide = shown.owner.getAttribute('data-tooltip-side') === 'right';
    const isAbove = owner.bottom + height + EDGE > window.innerHeight;
    const left = isAtSide ? owner.right : owner.left + owner.width / 2 - width / 2;
    const top = isAtSide ? owner.top + owner.height / 2 - height / 2 : isAbove ? owner.top - height : owner.bottom;
    box.current.style.left = `${Math.max(EDGE, Math.min(left, window.innerWidth - width - EDGE))}px`;
    box.current.style.top = `${top}px`;
  }, [shown]);
  if (!shown || shown.text === '') return null;
  return createPortal(
    <div ref={box} role="tooltip" aria-hidden="true" className={css.tooltip}>
      <div>
        {shown.text}
        {shown.keys.map((key) => (
          <kbd key={key}>{key}</kbd>
        ))}
      </div>
    </div>,
    document.body,
  );
};
