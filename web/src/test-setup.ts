import './lang/translate.ts';
import { cleanup, configure } from '@testing-library/react';
import { afterEach } from 'vitest';

// What is waited for comes within milliseconds; on a busy machine a second is not enough.
configure({ asyncUtilTimeout: 30_000 });

// What jsdom lacks and the component library looks at; none of it is under test.
class NoResizeObserver {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}

Object.assign(window, {
  matchMedia: (media: string) => ({
    matches: false,
    media,
    onchange: null,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
    addListener: () => undefined,
    removeListener: () => undefined,
    dispatchEvent: () => false,
  }),
  ResizeObserver: NoResizeObserver,
});
window.scrollTo = () => undefined;
Element.prototype.scrollIntoView = () => undefined;

afterEach(() => {
  cleanup();
  localStorage.clear();
});
