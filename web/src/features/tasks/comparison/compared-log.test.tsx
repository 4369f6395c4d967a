import type { LogComparison, LogPart } from '@signalbox/contract';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { sampleTask } from '../../../testing/sample.ts';
import { show } from '../../../testing/show.tsx';
import { answerCalls } from '../../../testing/test-fetch.ts';
import { ComparedLog } from './compared-log.tsx';

const PART: LogPart = {
  ...{ part: 'step', play: 'All', name: 'Restart', earlier_line: 10, later_line: 12 },
  lines: [
    { of: 'earlier', text: 'ok: [web-1]', line: 11, count: 5, skipped: 0 },
    { of: 'later', text: 'fatal: [web-1]: FAILED!', line: 13, count: 1200, skipped: 3 },
  ],
  ...{ more: 2, complete: false },
};
const NOTHING: LogComparison = { other_id: 4, removed: [], parts: [], lines: 9, total: 7, next: null };

const open = async (...pages: LogComparison[]) => {
  const calls = answerCalls(({ query }) => ({ status: 200, body: pages[query.get('from') === '1' ? 0 : 1] }));
  await show(<ComparedLog task={sampleTask({ id: 9 })} other={sampleTask({ id: 4 })} />);
  const log = await screen.findByRole('region', { name: 'Log' });
  return { calls, log };
};

it('the lines that differ are shown by step, with links into both logs, and the comparison can be continued', async () => {
  const { log, calls } = await open({ ...NOTHING, parts: [PART], next: 6 }, { ...NOTHING, parts: [] });
  const part = await within(log).findByRole('region', { name: 'Restart' });
  expect(
    within(part)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual([
    '11- ok: [web-1] only in #4× 5',
    '3 unchanged lines, repeats counted once',
    '13+ fatal: [web-1]: FAILED! only in #9× 1,200',
  ]);
  const links = within(part)
    .getAllByRole('link')
    .map((link) => link.getAttribute('href'));
  expect(links[0]).toMatch(/t=4.*line=11/);
  expect(links[1]).toMatch(/t=9.*line=13/);
  expect(part.textContent).toContain('2 more lines of this step differ, repeats counted once.');
  expect(part.textContent).toContain('Only the first 20,000 lines of this step were compared.');
  expect(log.textContent).toContain('Part 5 of 7 is compared.');
  await userEvent.setup().click(within(log).getByRole('button', { name: 'Compare more' }));
  await expect.poll(() => calls.map(({ query }) => query.get('from'))).toEqual(['1', '6']);
  await expect.poll(() => within(log).queryByRole('button')).toBeNull();
});

it('steps in a row that one log does not have are one line, which opens', async () => {
  const only = (name: string, line: number): LogPart => ({ ...PART, name, earlier_line: line, later_line: null });
  const { log } = await open({ ...NOTHING, parts: [PART, only('Install', 20), only('Verify', 30)] });
  const folded = await within(log).findByText('2 steps are not in #9');
  const isOpen = () => folded.closest('details')?.open;
  expect(isOpen()).toBe(false);
  await userEvent.setup().click(folded);
  expect(isOpen()).toBe(true);
  expect(folded.closest('details')?.textContent).toContain('Verify');
  expect(folded.closest('details')?.textContent).not.toContain('Restart');
});

it('logs without a difference are named as the same', async () => {
  const { log } = await open(NOTHING);
  await within(log).findByText('No line differs.');
});

it('what is after the last step is titled as such, also if only the earlier log has it', async () => {
  const outside = { ...PART, play: '', name: '', complete: true, more: 0 };
  const end: LogPart = { ...outside, part: 'end', earlier_line: 20, later_line: null };
  const { log } = await open({ ...NOTHING, parts: [{ ...outside, part: 'start', earlier_line: null }, end] });
  const parts = await within(log).findAllByRole('region');
  expect(parts.map((part) => part.getAttribute('aria-label'))).toEqual([
    'Before the first step',
    'After the last step',
  ]);
});

it('the task whose log was deleted is named', async () => {
  const { log } = await open({ ...NOTHING, removed: [4] });
  await within(log).findByText('The log of #4 was deleted, so the logs can’t be compared.');
  expect(log.textContent).not.toContain('No line differs.');
});
