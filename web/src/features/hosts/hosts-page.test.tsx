import type { ListedHost } from '@signalbox/contract';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import { sampleTemplate } from '../../testing/sample.ts';
import { show } from '../../testing/show.tsx';
import { answerCalls } from '../../testing/test-fetch.ts';
import { TestState } from '../../testing/use-test-state.tsx';
import { closeToast, currentToast } from '../../ui/toast/toast-store.ts';
import { HostsPage } from './hosts-page.tsx';
import { filterOf, type HostsState } from './hosts-state.ts';

const host = (id: number, change: Partial<ListedHost> = {}): ListedHost => ({
  ...{ id, host: `web-${id}`, last_success: null, last_change: null, last_failure: null, last_run: null },
  ...{ vanished_since: null, outcome: 'ok', template_count: 1, failed_count: 0 },
  ...change,
});

const showHosts = async (hosts: ListedHost[], start: HostsState = {}, permissions = 5) => {
  const { prompts } = sampleTemplate();
  const answers: Record<string, unknown> = {
    '/api/project/1/templates': [sampleTemplate({ id: 4, name: 'Patch', prompts: { ...prompts, limit: 'any' } })],
    '/api/project/1/role': { role: 'manager', permissions, templates: [] },
    '/api/project/1/hosts/choices': { groups: ['db', 'web'], values: ['Debian 11', 'Debian 12'] },
  };
  const calls = answerCalls(({ path, query }) => {
    if (path !== '/api/project/1/hosts') return { status: 200, body: answers[path] ?? [] };
    const found = hosts.filter((one) => one.host.includes(query.get('name') ?? ''));
    const first = Number(query.get('from'));
    const page = found.slice(first - 1, first - 1 + Number(query.get('limit')));
    return { status: 200, body: { first, total: found.length, hosts: page } };
  });
  const shown = await show(
    <TestState start={start}>
      {(state, onState) => <HostsPage tabs={null} project={1} state={state} onState={onState} />}
    </TestState>,
  );
  const lists = () => calls.filter(({ path }) => path === '/api/project/1/hosts');
  return { ...shown, lists, user: userEvent.setup() };
};

const many = Array.from({ length: 45 }, (_, at) => host(at + 1));
const shown = () => screen.queryAllByRole('rowheader').map((cell) => within(cell).getByRole('link').textContent);

beforeEach(closeToast);

describe('the hosts of a project', () => {
  it('show the last result of each host, with a link to the task until the task is deleted', async () => {
    const time = new Date(Date.now() - 5 * 60_000).toISOString();
    await showHosts([host(1, { last_success: { time, task_id: 7 }, last_failure: { time, task_id: null } })]);
    expect((await screen.findByRole('link', { name: '#7' })).textContent).toBe('#7');
    expect(screen.getAllByRole('cell').map((cell) => cell.textContent)).toEqual([
      'Success',
      '–',
      expect.stringMatching(/ago#7$/),
      '–',
      expect.stringMatching(/ago$/),
    ]);
  });

  it('are not shown as successful if one of their templates failed last', async () => {
    await showHosts([
      host(1, { outcome: 'failed', template_count: 4, failed_count: 1 }),
      host(2, { outcome: 'unreachable', failed_count: 1 }),
      host(3, { outcome: null, template_count: 0, vanished_since: '2026-03-12T10:00:00.000Z' }),
    ]);
    expect((await screen.findByText('1 of 4 templates failed')).dataset.outcome).toBe('failed');
    expect(screen.getByText('Unreachable').dataset.outcome).toBe('unreachable');
    expect(screen.getByText('vanished since Mar 12, 2026')).toBeTruthy();
  });

  it('are shown 20 per page with failed ones first, sorted and filtered by the server', async () => {
    const { lists, user } = await showHosts(many);
    await screen.findByText('1 to 20 of 45');
    expect(lists()[0]?.query.get('sort')).toBe('trouble');
    await user.click(screen.getByRole('button', { name: 'Next page' }));
    await waitFor(() => expect(shown()[0]).toBe('web-21'));
    await user.click(screen.getByRole('button', { name: 'Last failure' }));
    await screen.findByText('1 to 20 of 45');
    expect(screen.getByRole('columnheader', { name: 'Last failure' }).getAttribute('aria-sort')).toBe('descending');
    const widthOf = (name: RegExp) => Number.parseInt(screen.getByRole('columnheader', { name }).style.width, 10);
    expect(widthOf(/Host$/)).toBeGreaterThan(widthOf(/^Last result/));
    expect(widthOf(/^Last result/)).toBeGreaterThan(widthOf(/^Last change/));
    await user.click(screen.getByRole('searchbox'));
    await user.paste('web-44');
    await waitFor(() => expect(shown()).toEqual(['web-44']));
    const last = lists().at(-1)?.query;
    expect(['sort', 'order', 'from', 'name'].map((name) => last?.get(name))).toEqual([
      'last_failure',
      'desc',
      '1',
      'web-44',
    ]);
    await user.paste('x');
    expect(await screen.findByText('No hosts match')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Clear filters' }));
    await screen.findByText('1 to 20 of 45');
  });

  it('are those of the filters in the address', async () => {
    const { lists } = await showHosts(many, {
      group: 'db',
      days: 40,
      fact: 'distribution',
      value: 'Debian 11',
      vanished: 'false',
    });
    await screen.findByText('1 to 20 of 45');
    const query = lists()[0]?.query;
    expect(
      ['group', 'untouched_days', 'fact', 'fact_operator', 'fact_value', 'vanished'].map((name) => query?.get(name)),
    ).toEqual([...['db', '40', 'distribution', 'is', 'Debian 11', 'false']]);
    expect(filterOf({ fact: 'memory' }).fact).toBeUndefined();
  });

  it('are filtered by a number only once it is one that the server can compare', async () => {
    const { lists, user } = await showHosts(many, { fact: 'memory' });
    await screen.findByText('1 to 20 of 45');
    const input = screen.getByLabelText('Value of the fact', { selector: 'input' });
    const values = () => lists().map(({ query }) => query.get('fact_value'));
    await user.type(input, '1.');
    expect(await screen.findByText('Enter a number, such as 1024 or 1.5.')).toBeTruthy();
    expect(input.getAttribute('aria-invalid')).toBe('true');
    await user.type(input, '5');
    await waitFor(() => expect(values().at(-1)).toBe('1.5'));
    expect(values()).not.toContain('1.');
    await user.type(input, '.2');
    await screen.findByText('Enter a number, such as 1024 or 1.5.');
    await user.clear(input);
    await waitFor(() => expect(screen.queryByText('Enter a number, such as 1024 or 1.5.')).toBeNull());
    await user.click(input);
    await user.paste('1234567890123456');
    await screen.findByText('Enter a number, such as 1024 or 1.5.');
    expect(values().filter((value) => !['1', '1.5', null].includes(value ?? null))).toEqual([]);
  });

  it('start a template on the selected ones, also of other pages', async () => {
    const { user, router } = await showHosts(many);
    await screen.findByText('1 to 20 of 45');
    screen.getByRole('link', { name: 'web-2' }).focus();
    await user.keyboard(' ');
    await user.click(screen.getByRole('button', { name: 'Next page' }));
    await waitFor(() => expect(shown()[0]).toBe('web-21'));
    await user.click(screen.getByRole('checkbox', { name: 'Select web-21' }));
    await user.click(screen.getByRole('button', { name: 'Run on these 2 hosts' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Patch' }));
    expect(router.state.location.search).toEqual({ run: 4, limit: 'web-2,web-21' });
  });

  it('start a template only on those that an inventory has', async () => {
    const { user, router } = await showHosts([host(1), host(2, { vanished_since: '2026-11-01T00:00:00Z' })]);
    await user.click(await screen.findByRole('checkbox', { name: 'Select web-2' }));
    expect(screen.getByText('1 vanished host is left out')).toBeTruthy();
    expect(screen.queryByRole('button', { name: /^Run on/ })).toBeNull();
    await user.click(screen.getByRole('checkbox', { name: 'Select web-1' }));
    await user.click(screen.getByRole('button', { name: /^Run on/ }));
    await user.click(await screen.findByRole('menuitem', { name: 'Patch' }));
    expect(router.state.location.search).toEqual({ run: 4, limit: 'web-1' });
  });

  it('are all selected if one limit can hold them, and else the first that fit', async () => {
    const { user } = await showHosts(many);
    await user.click(await screen.findByRole('checkbox', { name: 'Select web-1' }));
    await user.click(screen.getByRole('button', { name: 'Select all 45 matching hosts' }));
    expect(await screen.findByText('45 selected')).toBeTruthy();
    expect(screen.queryByRole('button', { name: /^Select all/ })).toBeNull();
    expect(currentToast()).toBeUndefined();
  });

  it('are offered as a whole also after more hosts of another filter were selected', async () => {
    const { user } = await showHosts(many);
    await user.click(await screen.findByRole('checkbox', { name: 'Select all' }));
    await user.click(screen.getByRole('searchbox'));
    await user.paste('web-4');
    await user.click(await screen.findByRole('button', { name: 'Select all 7 matching hosts' }));
    expect(await screen.findByText('7 selected')).toBeTruthy();
    expect(screen.queryByRole('button', { name: /^Select all/ })).toBeNull();
  });

  it('are selected without blaming the limit if one of them was deleted meanwhile', async () => {
    const hosts = [...many];
    const { user } = await showHosts(hosts);
    await user.click(await screen.findByRole('checkbox', { name: 'Select web-1' }));
    hosts.pop();
    await user.click(screen.getByRole('button', { name: 'Select all 45 matching hosts' }));
    expect(await screen.findByText('44 selected')).toBeTruthy();
    expect(currentToast()).toBeUndefined();
  });

  it('are refused as one limit if there are too many', async () => {
    const long = Array.from({ length: 30 }, (_, at) => host(at + 1, { host: `${at}`.padEnd(250, 'x') }));
    const { user } = await showHosts(long);
    await user.click(await screen.findByRole('checkbox', { name: 'Select all' }));
    expect(screen.getByRole('alert').textContent).toMatch(/^A limit holds at most 4,096 characters/);
    await user.click(screen.getByRole('button', { name: 'Select all 30 matching hosts' }));
    expect(await screen.findByText('16 selected')).toBeTruthy();
    expect(currentToast()).toMatchObject({ kind: 'ok', text: expect.stringMatching(/^Only the first 16 hosts/) });
  });

  it('cannot be selected by a user who may start nothing on them', async () => {
    await showHosts(many, {}, 0);
    await screen.findByText('1 to 20 of 45');
    expect(screen.queryByRole('checkbox')).toBeNull();
  });

  it('show an empty state before the first run', async () => {
    await showHosts([]);
    expect(await screen.findByText('No hosts yet')).toBeTruthy();
  });
});
