import type { Runner, System, SystemServer } from '@signalbox/contract';
import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { show } from '../../testing/show.tsx';
import { answerCalls } from '../../testing/test-fetch.ts';
import { SystemPage } from './system-page.tsx';

const before = (ms: number): string => new Date(Date.now() - ms).toISOString();
const DAY = 24 * 60 * 60_000;

const server = (change: Partial<SystemServer> = {}): SystemServer => ({
  id: 'a1',
  answered: true,
  host: 'console-1',
  pid: 4711,
  version: '1.2.3',
  started: before(3 * DAY),
  load: 0.254,
  memory: 152_400_000,
  loop_delay_ms: 3.4,
  consoles: 12,
  runners: 1,
  notice_ms: null,
  notices_reopened: null,
  disk: { free: 50_000_000_000, total: 100_000_000_000 },
  ...change,
});

const system = (change: Partial<System> = {}): System => ({
  servers: [server()],
  undescribed_servers: 0,
  notices: 'none',
  database: {
    kind: 'sqlite',
    version: '3.50.4',
    bytes: 1_230_000_000,
    connections: null,
    oldest_transaction_seconds: null,
    migrations: 42,
    last_migration: '0075-last-backup',
    last_backup: before(DAY / 2),
  },
  log_store: null,
  runners: { total: 2, connected: 1, paused: 0, draining: 0, slots: 8, busy: 3, separated: true, duplicates: [] },
  queue: { waiting: 0, groups: [], more_groups: 0, reasons: [], reasons_exact: true },
  ...change,
});

const logStore = (change: Partial<NonNullable<System['log_store']>> = {}): NonNullable<System['log_store']> => ({
  ...{ address: 'folder:/srv/logs', answers: true, moved: 1200, bytes: 3_400_000_000, unmoved: 34, waiting: 5 },
  ...{ removing: 2, orphans: 4, failing_since: null, failure: null },
  ...change,
});

const runner = (change: Partial<Runner>): Runner => ({
  ...{ id: 1, name: 'vm', tags: [], description: '', paused: false, projects: null, local: false, ephemeral: false },
  ...{
    connected: false,
    draining: false,
    version: '1.2.3',
    apps: [],
    environments: [],
    ansible: '',
    run_as: null,
    slots: 4,
    tasks: 0,
  },
  ...{ created: before(9 * DAY), last_contact: before(DAY / 2), duplicate_seen: null },
  ...change,
});

const showPage = async (change: Partial<System> = {}, runners: Runner[] = []) => {
  answerCalls(({ path }) => {
    if (path === '/api/auth/login') return { status: 200, body: { command: 'SIGNALBOX_DATA=/srv bin/signalbox.mjs' } };
    return { status: 200, body: path === '/api/runners' ? runners : system(change) };
  });
  await show(<SystemPage back={null} />);
  await screen.findByRole('heading', { name: /^Servers/ });
  return { warnings: () => within(screen.getByRole('status')) };
};

const section = (name: RegExp) => within(screen.getByRole('region', { name }));

describe('the page of the system', () => {
  it('shows servers, runners and database at a glance, and that nothing is wrong', async () => {
    const { warnings } = await showPage();
    expect(warnings().getByText('Nothing needs your attention.')).toBeTruthy();
    const servers = section(/^Servers/);
    expect(servers.getByRole('heading', { name: /console-1 process 4711/ })).toBeTruthy();
    for (const text of ['1.2.3', '3 days ago', '0.25', '152 MB', '3 ms', '12', '50 GB of 100 GB'])
      expect(servers.getByText(text)).toBeTruthy();
    expect(servers.queryByText('answered this page')).toBeNull();
    const runners = section(/^Runners/);
    expect(runners.getByRole('link', { name: 'Runners' }).getAttribute('href')).toBe('/runners');
    for (const text of ['1 of 2', '3 of 8']) expect(runners.getByText(text)).toBeTruthy();
    const database = section(/^Database/);
    for (const text of ['SQLite 3.50.4', '1.2 GB', '12 h ago']) expect(database.getByText(text)).toBeTruthy();
    expect(screen.getByText('No task is waiting.')).toBeTruthy();
  });

  it('shows why tasks wait with links to them, and what they need', async () => {
    const queue: System['queue'] = {
      waiting: 2112,
      groups: [
        {
          app: 'ansible',
          execution_environment: 'virtual',
          runner_tags: ['dmz', 'gpu'],
          count: 2100,
          oldest: before(3 * DAY),
        },
      ],
      more_groups: 4,
      reasons: [
        { code: 'no_runner_with_tags', count: 2100 },
        { code: 'template_busy', count: 11 },
        { code: null, count: 1 },
      ],
      reasons_exact: false,
    };
    const { warnings } = await showPage({ queue });
    const waiting = section(/^Waiting tasks 2,112/);
    const link = waiting.getByRole('link', { name: 'No connected runner has all runner tags' });
    expect(link.getAttribute('href')).toBe('/tasks?q=no_runner_with_tags');
    const cells = [...(link.closest('tr') as HTMLTableRowElement).cells].map(({ textContent }) => textContent);
    expect(cells[1]).toBe('2,100');
    const needs = within(waiting.getByRole('table', { name: 'What they need' }));
    expect(
      needs.getByRole('row', { name: 'Ansible, Python virtual environment, dmz, gpu 2,100 3 days ago' }),
    ).toBeTruthy();
    expect(waiting.getByText('4 smaller groups are not shown.')).toBeTruthy();
    expect(waiting.getByText(/reason of its oldest task/)).toBeTruthy();
    expect(warnings().getByText('2,100 waiting tasks have no runner that can run them.')).toBeTruthy();
    expect(warnings().queryByText(/attention/)).toBeNull();
  });

  it.each([
    ['hosts_unknown', 'The hosts that they lock are not known yet'],
    ['hosts_unknown_ahead', 'The hosts of an earlier task of the template are not known yet'],
    ['host_held', 'A running task has locked hosts that they need'],
    ['host_ahead', 'A waiting task locks hosts before them'],
  ] as const)('links from the reason %s to the tasks that wait for it', async (code, name) => {
    const reasons = [{ code, count: 3 }];
    await showPage({ queue: { waiting: 3, groups: [], more_groups: 0, reasons, reasons_exact: true } });
    const link = section(/^Waiting tasks 3/).getByRole('link', { name });
    expect(link.getAttribute('href')).toBe(`/tasks?q=${code}`);
  });

  it('shows how many logs are in the log store and wait, if there is one', async () => {
    const { warnings } = await showPage({ log_store: logStore() });
    const store = section(/^Log store/);
    for (const text of ['folder:/srv/logs', 'Answers', '1,200 (3.4 GB)', '34', '5', '2'])
      expect(store.getByText(text)).toBeTruthy();
    expect(warnings().getByText('Nothing needs your attention.')).toBeTruthy();
  });

  it.each<[string, Partial<System>, RegExp]>([
    ['a log store that is away', { log_store: logStore({ answers: false }) }, /^The log store folder:.srv.logs does/],
    [
      'logs that cannot be moved',
      { log_store: logStore({ failing_since: before(DAY), failure: 'no space left' }) },
      /^Logs can't be moved, .* no space left/,
    ],
    [
      'different versions',
      { servers: [server(), server({ id: 'b2', version: '1.2.4' })] },
      /different versions \(1\.2\.3 and 1\.2\.4\)/,
    ],
    ['a server of an older version', { undescribed_servers: 1 }, /different versions/],
    ['a full disk', { servers: [server({ disk: { free: 9e9, total: 100e9 } })] }, /console-1 is nearly full: 9 GB/],
    ['a lost channel', { notices: 'lost' }, /cannot notify each other/],
    [
      'a reopened channel',
      { servers: [server({ notices_reopened: before(60_000) })] },
      /console-1 lost its connection/,
    ],
    ['an old backup', { database: { ...system().database, last_backup: before(8 * DAY) } }, /more than a week old/],
    ['no backup', { database: { ...system().database, last_backup: null } }, /There is no backup yet/],
    [
      'many connections',
      { database: { ...system().database, connections: { open: 95, maximum: 100 } } },
      /95 of 100 connections/,
    ],
    ['runs that are not separated', { runners: { ...system().runners, separated: false } }, /^Tasks run as the same/],
    ['no runner', { runners: { ...system().runners, connected: 0, separated: null } }, /^No runner is connected/],
    [
      'a copied token',
      { runners: { ...system().runners, duplicates: [{ id: 1, name: 'rack-7' }] } },
      /tried to use the token of rack-7/,
    ],
  ])('warns about %s', async (_what, change, text) => {
    const { warnings } = await showPage(change);
    expect(warnings().getByText(text)).toBeTruthy();
    expect(warnings().queryByText(/attention/)).toBeNull();
  });

  it('shows the command of this installation that makes a backup', async () => {
    const { warnings } = await showPage({ database: { ...system().database, last_backup: null } });
    expect(await warnings().findByText('SIGNALBOX_DATA=/srv bin/signalbox.mjs backup')).toBeTruthy();
  });

  it('warns about running tasks and a runner that cannot be reached, with links', async () => {
    const connected = runner({ id: 2, name: 'rack-7', connected: true, tasks: 3 });
    const { warnings } = await showPage({}, [connected, runner({ tasks: 2 })]);
    expect(await warnings().findByText('2 running tasks are on runners that cannot be reached.')).toBeTruthy();
    expect(warnings().getByText(/^Runner vm is not connected/)).toBeTruthy();
    expect(warnings().getByRole('link', { name: 'Show runners' }).getAttribute('href')).toBe('/runners');
    expect(warnings().getByRole('link', { name: 'Show runner' }).getAttribute('href')).toBe('/runners/1');
    expect(warnings().queryByText(/rack-7|attention/)).toBeNull();
  });

  it('names no runner that ended on purpose or long ago, and counts many', async () => {
    const unexpected = Array.from({ length: 6 }, (_, index) => runner({ id: 10 + index, name: `vm-${index}` }));
    const expected: Partial<Runner>[] = [
      { ephemeral: true },
      { local: true },
      { paused: true },
      { last_contact: null },
      { last_contact: before(2 * DAY) },
    ];
    const runners = [...unexpected, ...expected.map((change, id) => runner({ ...change, id }))];
    const { warnings } = await showPage({}, runners);
    expect(await warnings().findByText(/^6 runners are not connected/)).toBeTruthy();
    expect(warnings().queryByText(/^Runner|running task/)).toBeNull();
  });

  it('names the server that answered if there are several, and shows how long notices take', async () => {
    const other = server({ id: 'b2', answered: false, host: 'console-2', notice_ms: 6 });
    await showPage({ servers: [server({ notice_ms: 5 }), other], notices: 'connected' });
    const headings = section(/^Servers 2/).getAllByRole('heading', { level: 3 });
    expect(headings.map(({ textContent }) => textContent)).toEqual([
      'console-1 process 4711 answered this page',
      'console-2 process 4711 ',
    ]);
    expect(section(/^Servers/).getByText('6 ms')).toBeTruthy();
  });
});
