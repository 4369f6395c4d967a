import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { describe, expect, it } from 'vitest';
import { sampleRecords } from '../../testing/sample.ts';
import { show } from '../../testing/show.tsx';
import { storage } from '../../ui/browser/storage.ts';
import type { LineAddress } from '../../ui/tasks/line-range.ts';
import { LogSearch } from './log/log-search.ts';
import { LogSource } from './log/log-source.ts';
import { LogTab, type LogTabProps } from './log-tab.tsx';
import { buildRun, EMPTY_RUN } from './results/run-model.ts';

const START = '2026-11-21T10:00:00.000Z';
const AT = new Date(START).getTime();

/** The lines and the searched text in the URL, as the log changes them. */
const address = { line: undefined as LineAddress | undefined, find: undefined as string | undefined };

const Log = (props: Omit<LogTabProps, keyof typeof address | 'onLine' | 'onFind'>) => {
  const [line, setLine] = useState(address.line);
  const [find, setFind] = useState(address.find);
  Object.assign(address, { line, find });
  return <LogTab {...props} {...address} onLine={setLine} onFind={setFind} />;
};

const showLog = async (texts: string[], run = EMPTY_RUN, missing = 0, opened: Partial<typeof address> = {}) => {
  Object.assign(address, { line: 1, find: undefined, ...opened });
  const lines = texts.map((text, at) => [AT + at * 1500, text] as [number, string]);
  const source = new LogSource(async ({ from = 1, limit }) => ({
    first: from,
    total: lines.length,
    sealed: false,
    missing,
    lines: lines.slice(from - 1, from - 1 + limit),
  }));
  const search = new LogSearch(async (text, from) => ({
    lines: lines.flatMap(([, line], at) =>
      at + 1 >= from && line.toLowerCase().includes(text.toLowerCase()) ? [at + 1] : [],
    ),
    next: lines.length + 1,
    total: lines.length,
  }));
  source.subscribe(() => search.grown(source.state.total));
  await source.openEnd();
  const log = (
    <>
      <div id="task-tools" />
      <Log source={source} search={search} run={run} status="running" start={START} firstError={undefined} />
    </>
  );
  await show(log);
  const grow = (...more: string[]) => {
    const first = lines.length + 1;
    lines.push(...more.map((text) => [AT, text] as [number, string]));
    act(() => source.live(first, lines.slice(first - 1)));
  };
  return { user: userEvent.setup(), grow, source };
};

const log = () => screen.getByRole('region', { name: 'Log' });
const status = () => screen.getByRole('status').textContent;
const found = () => [...document.querySelectorAll('mark')].map((element) => element.textContent);

it('the log tab shows how many lines are no longer stored', async () => {
  await showLog(['one'], EMPTY_RUN, 2);
  expect(screen.getByRole('alert').textContent).toBe('The log is incomplete: 2 lines are no longer stored.');
});

it('the log tab shows which lines Signalbox wrote, also if the output imitates them', async () => {
  const { source } = await showLog(['Line 1, written by Signalbox']);
  act(() =>
    source.live(2, [
      [AT, 'Command: ansible-playbook', 'runner'],
      [AT, 'Command: forged'],
    ]),
  );
  expect(screen.getByRole('link', { name: 'Line 2, written by Signalbox' }).textContent).toBe('2');
  expect(screen.getAllByRole('link', { name: /written by Signalbox/ })).toHaveLength(1);
});

describe('log search', () => {
  it('opens with a key, counts and highlights matches, and moves between them', async () => {
    const { user } = await showLog(['Ping one', 'two', 'ping three', 'four PING ping']);
    log().focus();
    await user.keyboard('/');
    const input = await screen.findByRole('searchbox', { name: 'Find in the log' });
    expect(document.activeElement).toBe(input);
    await user.keyboard('ping{Enter}');
    await waitFor(() => expect(status()).toBe('1 of 3'));
    expect(found()).toEqual(['Ping', 'ping', 'PING', 'ping']);
    await user.keyboard('{Enter}');
    expect(status()).toBe('2 of 3');
    await user.keyboard('{F3}{F3}');
    expect(status()).toBe('1 of 3');
    await user.keyboard('{Shift>}{Enter}{/Shift}');
    expect(status()).toBe('3 of 3');
    await user.click(screen.getByRole('button', { name: 'Previous match' }));
    expect(status()).toBe('2 of 3');
    input.focus();
    await user.keyboard('{Escape}');
    expect(screen.queryByRole('searchbox', { name: 'Find in the log' })).toBeNull();
    expect(found()).toEqual([]);
    expect(document.activeElement).toBe(log());
  });

  it('searches while the user types, also in lines that are added later', async () => {
    const { user, grow } = await showLog(['alpha']);
    log().focus();
    await user.keyboard('{Control>}f{/Control}');
    await user.keyboard('beta');
    await waitFor(() => expect(status()).toBe('No matches'));
    grow('beta');
    await waitFor(() => expect(status()).toBe('1 of 1'));
    grow('beta again');
    await waitFor(() => expect(status()).toBe('1 of 2'));
  });

  it('unfolds the step that contains a match', async () => {
    const lines = Array.from({ length: 20 }, (_, at) => `line ${at + 1}`);
    const { user } = await showLog(lines, buildRun(sampleRecords));
    await user.click(await screen.findByRole('button', { name: 'Fold all steps' }));
    expect(screen.queryByText('line 18')).toBeNull();
    log().focus();
    await user.keyboard('/line 18{Enter}');
    await waitFor(() => expect(found()).toEqual(['line 18']));
  });
});

describe('the URL of the log', () => {
  const chosen = () =>
    [...document.querySelectorAll('[class*="chosen"]')].map((row) => Number(row.getAttribute('data-line')));
  const number = (text: string) => screen.getByRole('link', { name: text });

  it('has the lines that are chosen with Shift, in any order', async () => {
    const { user } = await showLog(['one', 'two', 'three', 'four', 'five']);
    await user.click(number('3'));
    expect(chosen()).toEqual([3]);
    await user.keyboard('{Shift>}');
    await user.click(number('5'));
    expect(address.line).toBe('3-5');
    expect(chosen()).toEqual([3, 4, 5]);
    await user.click(number('2'));
    expect(address.line).toBe('2-3');
    await user.keyboard('{/Shift}');
    await user.click(number('4'));
    expect(address.line).toBe(4);
  });

  it('has the searched text and the line of the match, and opens with both', async () => {
    const lines = ['ping', 'two', 'ping', 'ping'];
    const { user } = await showLog(lines);
    log().focus();
    await user.keyboard('/ping{Enter}');
    await waitFor(() => expect(status()).toBe('1 of 3'));
    await user.keyboard('{Enter}');
    expect(address).toEqual({ find: 'ping', line: 3 });
    cleanup();
    await showLog(lines, EMPTY_RUN, 0, { ...address });
    await waitFor(() => expect(status()).toBe('2 of 3'));
    screen.getByRole('searchbox').focus();
    await userEvent.keyboard('{Escape}');
    expect(address).toEqual({ find: undefined, line: 3 });
  });
});

it('the lines of one step are copied without colours', async () => {
  const lines = Array.from({ length: 20 }, (_, at) => `\u001b[0;32mline ${at + 1}\u001b[0m`);
  const { user } = await showLog(lines, buildRun(sampleRecords));
  const steps = buildRun(sampleRecords).plays.flatMap((play) => play.steps);
  const [first, second] = steps;
  if (!first || !second) throw new Error('The sample has two steps.');
  await user.click(await screen.findByRole('button', { name: `Copy the lines of ${first.name}` }));
  const expected = lines.slice(first.line - 1, second.line - 1).map((_, at) => `line ${first.line + at}`);
  await waitFor(async () => expect(await navigator.clipboard.readText()).toBe(`${expected.join('\n')}\n`));
});

describe('log display', () => {
  it('remembers whether long lines are wrapped', async () => {
    const { user } = await showLog(['one']);
    const wrap = await screen.findByRole('button', { name: 'Wrap long lines' });
    expect(wrap.getAttribute('aria-pressed')).toBe('false');
    await user.click(wrap);
    expect(wrap.getAttribute('aria-pressed')).toBe('true');
    expect(storage.logWrap()).toBe(true);
    await user.click(wrap);
    expect(storage.logWrap()).toBe(false);
  });

  it('shows times by the clock, since the start, or not at all', async () => {
    const { user } = await showLog(['one', 'two']);
    await user.click(await screen.findByRole('button', { name: 'Times: off' }));
    expect(screen.getByText(/^\d\d:\d\d:01\.500$/)).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Times: clock' }));
    expect(screen.getByText('+0:01.500')).toBeTruthy();
    expect(storage.logTimes()).toBe('relative');
    await user.click(screen.getByRole('button', { name: 'Times: since the start' }));
    expect(screen.queryByText('+0:01.500')).toBeNull();
  });
});

describe('copying from the log', () => {
  const copy = (from: Node, start: number, to: Node, end: number): string => {
    getSelection()?.setBaseAndExtent(from, start, to, end);
    let copied = '';
    fireEvent.copy(log(), { clipboardData: { setData: (_: string, text: string) => (copied = text) } });
    return copied;
  };
  const text = (content: string) => screen.getByText(content).firstChild ?? screen.getByText(content);

  it('copies the text without line numbers, times and colours', async () => {
    const { user } = await showLog(['first', '\u001b[0;32mgreen\u001b[0m and \u001b[0;31mred\u001b[0m', 'third']);
    await user.click(await screen.findByRole('button', { name: 'Times: off' }));
    expect(copy(text('first'), 2, text('third'), 3)).toBe('rst\ngreen and red\nthi');
    expect(copy(text('green'), 0, text('red'), 2)).toBe('green and re');
  });

  it('includes the line that a header replaces', async () => {
    const lines = Array.from({ length: 20 }, (_, at) => `line ${at + 1}`);
    await showLog(lines, buildRun(sampleRecords));
    await screen.findByText('line 8');
    expect(copy(text('line 6'), 0, text('line 8'), 6)).toBe('line 6\nline 7\nline 8');
  });
});
