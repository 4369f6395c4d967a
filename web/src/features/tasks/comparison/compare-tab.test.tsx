import type { ComparedStep, LogComparison, StepPair, Task, TaskComparison } from '@signalbox/contract';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { sampleTask } from '../../../testing/sample.ts';
import { show } from '../../../testing/show.tsx';
import { answerCalls } from '../../../testing/test-fetch.ts';
import { CompareTab } from './compare-tab.tsx';
import { SinceSuccess } from './since-success.tsx';

const step = (counts: Partial<ComparedStep['counts']>): ComparedStep => ({
  step: 1,
  line: 12,
  seconds: 61,
  counts: { ok: 0, changed: 0, failed: 0, ignored: 0, skipped: 0, unreachable: 0, rescued: 0, ...counts },
});

const task = sampleTask({ id: 9, status: 'error', limit: 'web', commit_hash: 'b'.repeat(40) });
const other = sampleTask({ id: 4, commit_hash: 'a'.repeat(40) });

const COMPARISON: TaskComparison = {
  other,
  changed: ['commit_hash', 'limit'],
  unknown: [],
  answers: [{ name: 'release', earlier: '"1.0"', later: null }],
  versions: [{ what: 'collection', name: 'community.general', earlier: '8.6.1', later: '9.0.0' }],
  hosts: { added: ['web-5', 'web-6'], added_count: 3, removed: [], removed_count: 0, same_count: 5 },
  total: 2,
  different: 2,
  first: 1,
  steps: [
    {
      play: 'All',
      name: 'Restart',
      action: 'service',
      path: 'roles/web/tasks/main.yml:18',
      earlier: step({ ok: 5 }),
      later: step({ failed: 2 }),
      differs: true,
      slower: false,
    },
    {
      play: 'All',
      name: 'Verify',
      action: 'uri',
      path: '',
      earlier: step({ ok: 5 }),
      later: null,
      differs: true,
      slower: false,
    },
  ],
};

const LOG: LogComparison = { other_id: 4, removed: [], parts: [], lines: 0, total: 0, next: null };

const answer = (comparison: TaskComparison, tasks: Task[] = [task, other]) =>
  answerCalls(({ path }) => {
    if (path.endsWith('/comparison/log')) return { status: 200, body: LOG };
    return { status: 200, body: path.endsWith('/comparison') ? comparison : tasks };
  });

it('the comparison shows values, answers, hosts and steps that differ, the earlier task first', async () => {
  const calls = answer(COMPARISON);
  const chosen: number[] = [];
  await show(<CompareTab task={task} other={undefined} onOther={(id) => chosen.push(id)} />);
  const values = await screen.findByRole('region', { name: 'What went in' });
  const cells = (name: string) =>
    within(within(values).getByRole('row', { name: new RegExp(name) }))
      .getAllByRole('cell')
      .map(({ textContent }) => textContent);
  expect(cells('Limit')).toEqual(['–', 'web']);
  expect(cells('Commit')).toEqual(['aaaaaaa ', 'bbbbbbb ']);
  expect(cells('Collection community.general')).toEqual(['8.6.1', '9.0.0']);
  expect(cells('release')).toEqual(['"1.0"', 'not set']);
  const hosts = screen.getByRole('region', { name: 'Hosts' });
  expect(hosts.textContent).toContain('3 hosts added');
  expect(hosts.textContent).toContain('and 1 more host');
  const [, first, second] = within(screen.getByRole('table', { name: 'Steps' })).getAllByRole('row');
  expect(first?.textContent).toContain('Restart5 ok1:012 failed1:01');
  expect(second?.textContent).toContain('not in this run');
  expect(
    within(first as HTMLElement)
      .getAllByRole('link')[1]
      ?.getAttribute('href'),
  ).toContain('line=12');
  const user = userEvent.setup();
  await user.click(screen.getByRole('switch', { name: 'Show all steps (2)' }));
  expect(calls.map(({ query }) => query?.get('different')).filter((value) => value !== undefined)).toContain(null);
});

it('the step of the link is shown and highlighted, also if it does not differ', async () => {
  const named = (name: string): StepPair => ({
    ...{ play: 'All', name, action: 'apt', path: '', earlier: { ...step({ ok: 5 }), step: name.length } },
    later: { ...step({ ok: 5 }), step: name.length },
    ...{ differs: false, slower: false },
  });
  answerCalls(({ path, query }) => {
    if (path.endsWith('/comparison/log')) return { status: 200, body: LOG };
    if (!path.endsWith('/comparison')) return { status: 200, body: [task, other] };
    const slow = { ...named('Download'), slower: true };
    const steps = query.get('different') === 'true' ? [slow] : [named('Install'), slow];
    return { status: 200, body: { ...COMPARISON, different: 1, steps } };
  });
  await show(<CompareTab task={task} other={4} step="Install" onOther={() => undefined} />);
  const row = await screen.findByRole('row', { name: /^Install/ });
  expect(row.getAttribute('aria-current')).toBe('true');
  expect(screen.getByRole('row', { name: /^Download.*slower$/ })).toBeTruthy();
  expect(screen.getByRole<HTMLInputElement>('switch', { name: /^Show all steps/ }).checked).toBe(true);
});

it('many steps that one run does not have are one row, which opens', async () => {
  const steps = ['one', 'two', 'three'].map(
    (name, at): StepPair => ({
      ...{ play: 'All', name, action: 'apt', path: '', earlier: { ...step({ ok: 5 }), step: at + 1 }, later: null },
      ...{ differs: true, slower: false },
    }),
  );
  answer({ ...COMPARISON, steps });
  await show(<CompareTab task={task} other={4} onOther={() => undefined} />);
  const folded = await screen.findByRole('button', { name: '3 steps are not in #9' });
  expect(screen.queryByText('not in this run')).toBeNull();
  await userEvent.setup().click(folded);
  expect(screen.getAllByText('not in this run')).toHaveLength(3);
});

it('results of a task whose log was removed have no links to it', async () => {
  answer({ ...COMPARISON, other: { ...other, log_removed: true } });
  await show(<CompareTab task={task} other={undefined} onOther={() => undefined} />);
  const row = await screen.findByRole('row', { name: /^Restart/ });
  expect(within(row).getAllByRole('link')).toHaveLength(1);
});

it('a template that has not succeeded offers other tasks', async () => {
  answer({ ...COMPARISON, other: null, changed: [], answers: [], hosts: null, total: 0, different: 0, steps: [] });
  const chosen: number[] = [];
  await show(<CompareTab task={task} other={undefined} onOther={(id) => chosen.push(id)} />);
  await screen.findByText(/No earlier task of this template succeeded/);
  const user = userEvent.setup();
  await user.click(screen.getByRole('combobox', { name: 'Compared with' }));
  await user.click(await screen.findByRole('option', { name: /^#4, Success/ }));
  expect(chosen).toEqual([4]);
});

it('next to the failures, the changes since the last success are listed with what did not change', async () => {
  answer(COMPARISON);
  await show(<SinceSuccess task={task} />);
  const part = await screen.findByRole('region', { name: 'Since it last worked' });
  expect(part.textContent).toContain('#4');
  const text = (term: string) => within(part).getByText(term).nextElementSibling?.textContent;
  expect(text('Commit')).toBe('bbbbbbb before: aaaaaaa ');
  expect(text('Runner')).toBe('unchanged');
  expect(text('Collection community.general')).toBe('9.0.0before: 8.6.1');
  expect(text('Hosts')).toBe('3 hosts addedweb-5 and web-6');
  expect(text('Answers')).toBe('release: "1.0" → –');
  expect(within(part).queryByRole('button')).toBeNull();
});

it('the content of the inventory is a line of its own, and an unknown one is not called unchanged', async () => {
  const hosts = { added: [], added_count: 0, removed: [], removed_count: 0, same_count: 5 };
  answer({ ...COMPARISON, changed: ['inventory_content'], unknown: ['environment_content'], hosts });
  await show(
    <>
      <SinceSuccess task={task} />
      <CompareTab task={task} other={undefined} onOther={() => undefined} />
    </>,
  );
  const part = await screen.findByRole('region', { name: 'Since it last worked' });
  const text = (term: string) => within(part).getByText(term).nextElementSibling?.textContent;
  expect(text('Content of the inventory')).toBe('changed, hosts the same');
  expect(within(part).queryByText('Inventory')).toBeNull();
  const values = await screen.findByRole('region', { name: 'What went in' });
  expect(within(values).getByRole('row', { name: /^Content of the inventory/ }).textContent).toContain(
    'changed, hosts the same',
  );
  expect(values.textContent).toContain('Whether these differ is not known: Content of the environment.');
});

it('answers are called unchanged only if one of the tasks has answers', async () => {
  const show1 = async (environment: string) => {
    answer({ ...COMPARISON, answers: [] });
    const { unmount } = await show(<SinceSuccess task={{ ...task, environment }} />);
    const part = await screen.findByRole('region', { name: 'Since it last worked' });
    const text = within(part).queryByText('Answers')?.nextElementSibling?.textContent;
    unmount();
    return text;
  };
  expect(await show1('{}')).toBeUndefined();
  expect(await show1('{"release":"1.0"}')).toBe('unchanged');
});

it('an inventory whose content is unknown is not called unchanged', async () => {
  answer({ ...COMPARISON, unknown: ['inventory_content'] });
  await show(<SinceSuccess task={task} />);
  const part = await screen.findByRole('region', { name: 'Since it last worked' });
  expect(within(part).getByText('Inventory').nextElementSibling?.textContent).toBe(
    'the same, but its content may have changed',
  );
});
