import type { FailureCluster } from '@signalbox/contract';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { sampleCluster, sampleTask } from '../../../testing/sample.ts';
import { show } from '../../../testing/show.tsx';
import { answerCalls } from '../../../testing/test-fetch.ts';
import { LogSource } from '../log/log-source.ts';
import { EMPTY_RUN } from '../results/run-model.ts';
import { FailureClusters } from './failure-clusters.tsx';

const task = sampleTask({ id: 5, status: 'error', commit_hash: 'c'.repeat(40) });

const LOCKED = sampleCluster({
  cause: 'apt_locked',
  title: 'Could not get lock',
  hosts: 31,
  messages: [
    {
      hosts: 31,
      segments: [
        { text: 'Could not get lock. It is held by process ', differs: false },
        { text: '2214', differs: true },
      ],
    },
  ],
  groups: [
    { hosts: 24, first_host: 'web-01', values: [{ values: ['2214', '2190'], more: 22 }] },
    { hosts: 7, first_host: 'worker-01', values: [{ values: ['941'], more: 0 }] },
  ],
  seen: {
    times: 6,
    since: '2026-03-03T10:00:00.000Z',
    last: '2026-11-20T10:00:00.000Z',
    first_task_id: 1,
    last_task_id: 4,
    fixed_by: 2,
  },
});

const REMARK: NonNullable<FailureCluster['remark']> = {
  note: 'The line is being **replaced**',
  note_by: 'Ana',
  note_at: '2026-11-20T10:00:00.000Z',
  known: true,
  known_until: '2026-12-20T10:00:00.000Z',
  known_commit: '',
  known_by: 'Ana',
  known_at: '2026-11-20T10:00:00.000Z',
  assignment: null,
};

const showClusters = async (clusters: FailureCluster[], total = clusters.length) => {
  const calls = answerCalls(({ method, path, query }) => {
    if (method === 'PUT') return { status: 204 };
    if (path.endsWith('/role')) return { status: 200, body: { role: 'x', permissions: 1 } };
    if (path.endsWith('/hosts')) {
      const from = Number(query.get('from'));
      const names = ['web-01', 'web-02', 'worker-01'].slice(from - 1);
      return { status: 200, body: { first: from, total: 3, hosts: names.map((host) => ({ host, line: 1 })) } };
    }
    const [from, limit] = [Number(query.get('from')), Number(query.get('limit'))];
    if (limit > 100) return { status: 400, body: { error: 'limit must be at most 100.', code: 'bad_input' } };
    const page = clusters.slice(from - 1, from - 1 + limit);
    if (path.endsWith('/failures')) return { status: 200, body: { first: 1, total, hosts: 31, clusters: page } };
    return { status: 200, body: [] };
  });
  const chosen: { limits: string[]; lines: number[] } = { limits: [], lines: [] };
  const log = new LogSource(() => Promise.reject(new Error('no log')), { later: () => 0 as never });
  await show(
    <FailureClusters
      task={task}
      run={EMPTY_RUN}
      log={log}
      onLine={(line) => chosen.lines.push(line)}
      onRunOn={(limit) => chosen.limits.push(limit)}
    />,
  );
  return { calls, chosen, user: userEvent.setup() };
};

it('a cluster shows its cause, its hosts, what differs between them, and how often it was seen', async () => {
  const { chosen, user } = await showClusters([LOCKED]);
  const part = await screen.findByRole('region', { name: 'apt is locked by another process' });
  expect(within(part).getByRole('heading').textContent).toBe('31 hosts apt is locked by another process');
  expect(part.querySelector('mark')?.textContent).toBe('2214');
  expect(part.textContent).toContain('Seen 6 times since');
  expect(within(part).getByRole('link', { name: '#2' })).toBeTruthy();
  const [, first, second] = within(part).getAllByRole('row');
  expect(first?.textContent).toBe('web-01 and 23 more hosts2214, 2190 and 22 more');
  expect(second?.textContent).toBe('worker-01 and 6 more hosts941');
  await user.click(within(part).getByRole('button', { name: 'Run on these 31 hosts' }));
  await user.click(within(part).getByRole('button', { name: 'Open log at line 7' }));
  expect(chosen).toEqual({ limits: ['web-01,web-02,worker-01'], lines: [7] });
});

it('a failure without a common cause shows its message, and an unreachable host the reason', async () => {
  await showClusters([
    sampleCluster({ title: 'exit code 3' }),
    sampleCluster({ fingerprint: 'f2', cause: 'connection_timeout', result: 'unreachable', title: 'ssh: …' }),
  ]);
  await screen.findByRole('region', { name: 'exit code 3' });
  await screen.findByRole('region', { name: 'Unreachable: Connection timed out' });
});

it('a known failure is quiet, and shows its note', async () => {
  await showClusters([sampleCluster({ remark: REMARK })]);
  const part = await screen.findByRole('region', { name: 'broken' });
  expect(part.textContent).toMatch(/Known until .*2026/);
  expect((await within(part).findByText('replaced')).tagName).toBe('STRONG');
});

it('a note is written, and the failure is known until a time or for a commit', async () => {
  const { calls, user } = await showClusters([sampleCluster()]);
  await user.click(await screen.findByRole('button', { name: 'Note' }));
  const dialog = await screen.findByRole('dialog');
  await user.type(within(dialog).getByRole('textbox', { name: 'Text' }), 'Wait.');
  await user.click(within(dialog).getByRole('button', { name: 'Save note' }));
  await user.click(await screen.findByRole('button', { name: 'Known until…' }));
  await user.click(await screen.findByRole('combobox', { name: 'Known until' }));
  await user.click(await screen.findByRole('option', { name: 'a run uses another commit than ccccccc' }));
  await user.click(screen.getByRole('button', { name: 'Save' }));
  const changes = calls.filter(({ method }) => method === 'PUT').map(({ path, body }) => [path, body]);
  expect(changes).toEqual([
    ['/api/project/1/failures/3', { note: 'Wait.' }],
    ['/api/project/1/failures/3', { known_until: null, known_commit: 'c'.repeat(40) }],
  ]);
});

it('further failures are shown on request', async () => {
  const many = Array.from({ length: 130 }, (_, at) => sampleCluster({ fingerprint: `f${at}`, title: `failure ${at}` }));
  const { user } = await showClusters(many);
  await user.click(await screen.findByRole('button', { name: 'Show 110 more failures' }));
  await screen.findByRole('region', { name: 'failure 129' });
});

it('hosts whose messages differ only by the name of the host are not in the table of differences', async () => {
  const group = (host: string, ...values: string[]) => ({
    ...{ hosts: 1, first_host: host },
    values: values.map((value) => ({ values: [value], more: 0 })),
  });
  const full = (name: string, groups: FailureCluster['groups']) =>
    sampleCluster({ fingerprint: name, title: name, hosts: groups.length, groups });
  await showClusters([
    full('Names', [group('web-01', 'web-01'), group('web-02', 'web-02')]),
    full('Disks', [group('web-01', 'web-01'), group('web-02', '/dev/sdb')]),
  ]);
  const tables = await screen.findAllByRole('table', { name: 'Differs between hosts' });
  expect(tables.map((table) => [...table.querySelectorAll('tbody tr')].map((row) => row.textContent))).toEqual([
    ['web-02/dev/sdb'],
  ]);
});
