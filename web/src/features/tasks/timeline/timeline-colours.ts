import { useSyncExternalStore } from 'react';
import { matrixColours } from '../matrix/draw-matrix.ts';
import type { Colours } from './draw-timeline.ts';

/** Calls back when the theme of the page changes. */
const onTheme = (changed: () => void): (() => void) => {
  const observer = new MutationObserver(changed);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-mantine-color-scheme'] });
  return () => observer.disconnect();
};

const themeOf = (): string => document.documentElement.getAttribute('data-mantine-color-scheme') ?? '';

/** The name of the theme, with which a canvas is drawn again. */
export const useThemeName = (): string => useSyncExternalStore(onTheme, themeOf);

/** Reads the colours of the theme, because a canvas has no style sheet. */
export const readColours = (element: Element): Colours => {
  const style = getComputedStyle(element);
  const of = (name: string): string => style.getPropertyValue(name).trim();
  return {
    work: of('--ok-line'),
    changed: of('--ok-solid'),
    bad: of('--error-solid'),
    badLine: of('--error-line'),
    quiet: of('--wait-solid'),
    onQuiet: of('--wait-on'),
    quietLine: of('--wait-line'),
    shapes: matrixColours(element),
    wait: of('--line-strong'),
    text: of('--text'),
    faint: of('--text-3'),
    line: of('--line'),
    focus: of('--focus'),
    font: `12px ${style.fontFamily}`,
  };
};
