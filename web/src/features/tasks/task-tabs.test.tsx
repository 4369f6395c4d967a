import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it } from 'vitest';
import { sampleTask } from '../../testing/sample.ts';
import { show } from '../../testing/show.tsx';
import { TestState } from '../../testing/use-test-state.tsx';
import { EMPTY_RUN } from './results/run-model.ts';
import { type TaskTab, TaskTabs } from './task-tabs.tsx';

/** Width of each tab and of the row of tabs, in pixels: the test environment has no layout. */
const [TAB, ROW] = [100, 250];
const box = Element.prototype.getBoundingClientRect;

afterEach(() => {
  Element.prototype.getBoundingClientRect = box;
});

const layOut = (): void => {
  Element.prototype.getBoundingClientRect = function measured(this: Element): DOMRect {
    if (this.getAttribute('role') === 'tablist') return new DOMRect(0, 0, ROW, 40);
    const row = this.closest('[role="tablist"]');
    const at = [...(row?.children ?? [])].indexOf(this);
    return new DOMRect(at * TAB - (row?.scrollLeft ?? 0), 0, TAB, 40);
  };
};

interface Shown {
  tab: TaskTab;
  status: 'success' | 'error';
}

it('the row of tabs shows the chosen tab at the start, when it changes, and when a tab comes before it', async () => {
  layOut();
  await show(
    <TestState<Shown> start={{ tab: 'details', status: 'success' }}>
      {({ tab, status }, onState) => (
        <TaskTabs tab={tab} run={EMPTY_RUN} task={sampleTask({ status })} onTab={(to) => onState({ tab: to, status })}>
          <button type="button" onClick={() => onState({ tab, status: 'error' })}>
            Fail
          </button>
        </TaskTabs>
      )}
    </TestState>,
  );
  const user = userEvent.setup();
  const row = await screen.findByRole('tablist');
  expect(row.scrollLeft).toBe(5 * TAB - ROW);
  await user.click(screen.getByRole('button', { name: 'Fail' }));
  expect(row.scrollLeft).toBe(6 * TAB - ROW);
  await user.click(screen.getByRole('tab', { name: 'Log' }));
  expect(row.scrollLeft).toBe(TAB);
});
