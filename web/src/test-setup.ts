import './testing/cheap-elements.ts';
import { cleanup, configure } from '@testing-library/react';
import { afterAll, afterEach, vi } from 'vitest';
import { loadConsoleTexts } from './lang/language.ts';
import { closeToast } from './ui/toast/toast-store.ts';

// Awaited changes arrive within milliseconds, but on a busy machine one second is not enough.
configure({ asyncUtilTimeout: 30_000 });

await loadConsoleTexts();

// Browser features that jsdom lacks and the component library uses. None of them is under test.
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
  closeToast();
});

// A page loads its dialogs while it is idle. All files of a worker share these modules, and a module that is still
// loading when its file ends would fail in every later file that imports it.
afterAll(() => vi.dynamicImportSettled(), 90_000);
