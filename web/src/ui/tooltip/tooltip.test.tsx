import { act, fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { show } from '../../testing/show.tsx';
import { IconButton } from '../basics/button.tsx';
import { Tooltip } from './tooltip.tsx';

beforeEach(() => void vi.useFakeTimers({ shouldAdvanceTime: true }));
afterEach(() => void vi.useRealTimers());

const showButtons = async () => {
  await show(
    <>
      <IconButton icon="search" label="Search the log" keys="Ctrl F" />
      <IconButton icon="wrap" label="Wrap lines" />
      <IconButton icon="close" label="Close" disabled />
      <Tooltip />
    </>,
  );
};
const tooltip = () => screen.queryByRole('tooltip', { hidden: true })?.textContent;
const button = (name: string) => screen.getByRole('button', { name });
const over = (name: string, pointerType = 'mouse') => fireEvent.pointerOver(button(name), { pointerType });
const rest = () => act(() => vi.advanceTimersByTime(400));

it('a tooltip shows the name and the keys of the button under the resting pointer, the next one at once', async () => {
  await showButtons();
  over('Search the log');
  expect(tooltip()).toBeUndefined();
  rest();
  expect(tooltip()).toBe('Search the logCtrlF');
  expect(button('Search the log').getAttribute('aria-keyshortcuts')).toBe('Control+F');
  over('Wrap lines');
  act(() => vi.advanceTimersByTime(0));
  expect(tooltip()).toBe('Wrap lines');
  fireEvent.pointerOver(screen.getByRole('tooltip', { hidden: true }));
  expect(tooltip()).toBe('Wrap lines');
  fireEvent.pointerOver(document.body);
  expect(tooltip()).toBeUndefined();
});

it('a tooltip is hidden by any key, and by a press, and touch shows none', async () => {
  await showButtons();
  over('Wrap lines');
  rest();
  fireEvent.keyDown(document.body, { key: 'Escape' });
  expect(tooltip()).toBeUndefined();
  fireEvent.pointerOver(document.body);
  over('Wrap lines');
  rest();
  fireEvent.pointerDown(button('Wrap lines'));
  expect(tooltip()).toBeUndefined();
  fireEvent.pointerOver(button('Wrap lines').firstElementChild as Element, { pointerType: 'mouse' });
  rest();
  expect(tooltip()).toBeUndefined();
  fireEvent.pointerOver(document.body);
  over('Search the log', 'touch');
  rest();
  expect(tooltip()).toBeUndefined();
});

it('a tooltip is shown for the button that is focused by keyboard; a disabled one keeps that of the browser', async () => {
  await showButtons();
  await userEvent.setup({ advanceTimers: vi.advanceTimersByTime }).tab();
  expect(tooltip()).toBe('Search the logCtrlF');
  expect(button('Close').title).toBe('Close');
  expect(button('Wrap lines').title).toBe('');
});
