import type { HostSummary } from '@signalbox/contract';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { show } from '../../testing/show.tsx';
import { answerCalls } from '../../testing/test-fetch.ts';
import { TestState } from '../../testing/use-test-state.tsx';
import { HostsPage } from './hosts-page.tsx';

const host = (id: number, change: Partial<HostSummary> = {}): HostSummary => ({
  id,
  host: `web-${id}`,
  last_success: null,
  last_change: null,
  last_failure: null,
  ...change,
});

const showHosts = async (hosts: HostSummary[]) => {
  const calls = answerCalls(({ query }) => {
    const found = hosts.filter((one) => one.host.includes(query.get('name') ?? ''));
    const first = Number(query.get('from'));
    return {
      status: 200,
      body: { first, total: found.length, hosts: found.slice(first - 1, first - 1 + Number(query.get('limit'))) },
    };
  });
  await show(
    <TestState start={{ name: '' }}>
      {({ name }, onState) => <HostsPage tabs={null} project={1} name={name} onName={(to) => onState({ name: to })} />}
    </TestState>,
  );
  return { calls, user: userEvent.setup() };
};

const many = Array.from({ length: 45 }, (_, at) => host(at + 1));
const shown = () => screen.queryAllByRole('rowheader').map((cell) => cell.textContent);

describe('the hosts of a project', () => {
  it('show the last result of each host, with a link to the task until the task is deleted', async () => {
    const time = new Date(Date.now() - 5 * 60_000).toISOString();
    await showHosts([host(1, { last_success: { time, task_id: 7 }, last_failure: { time, task_id: null } })]);
    expect((await screen.findByRole('link', { name: '#7' })).textContent).toBe('#7');
    expect(screen.getAllByRole('cell').map((cell) => cell.textContent)).toEqual([
      expect.stringMatching(/ago#7$/),
      '–',
      expect.stringMatching(/ago$/),
    ]);
  });

  it('are shown 20 per page, sorted and filtered by the server', async () => {
    const { calls, user } = await showHosts(many);
    await screen.findByText('1 to 20 of 45');
    await user.click(screen.getByRole('button', { name: 'Next page' }));
    await screen.findByText('21 to 40 of 45');
    await waitFor(() => expect(shown()[0]).toBe('web-21'));
    await user.click(screen.getByRole('button', { name: 'Last failure' }));
    await screen.findByText('1 to 20 of 45');
    expect(screen.getByRole('columnheader', { name: 'Last failure' }).getAttribute('aria-sort')).toBe('descending');
    await user.click(screen.getByRole('searchbox'));
    await user.paste('web-44');
    await waitFor(() => expect(shown()).toEqual(['web-44']));
    const last = calls.at(-1)?.query;
    expect([last?.get('sort'), last?.get('order'), last?.get('from'), last?.get('name')]).toEqual([
      'last_failure',
      'desc',
      '1',
      'web-44',
    ]);
    await user.paste('x');
    expect(await screen.findByText('No hosts match')).toBeTruthy();
  });

  it('are those of one group, until all are shown', async () => {
    const calls = answerCalls(() => ({ status: 200, body: { first: 1, total: 1, hosts: [host(1)] } }));
    const left: string[] = [];
    await show(
      <HostsPage
        tabs={null}
        project={1}
        name=""
        onName={() => undefined}
        group="db"
        onAllGroups={() => left.push('db')}
      />,
    );
    await userEvent.setup().click(await screen.findByRole('button', { name: /^Group db/ }));
    expect([calls[0]?.query.get('group'), left]).toEqual(['db', ['db']]);
  });

  it('show an empty state before the first run', async () => {
    await showHosts([]);
    expect(await screen.findByText('No hosts yet')).toBeTruthy();
  });
});
