import type { HostPage as Host, HostTemplate } from '@signalbox/contract';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { sampleTemplate } from '../../../testing/sample.ts';
import { show } from '../../../testing/show.tsx';
import { answerCalls } from '../../../testing/test-fetch.ts';
import { HostPage } from './host-page.tsx';
import type { HostTab } from './host-tabs.tsx';

const TIME = new Date(Date.now() - 5 * 60_000).toISOString();

const template = (template_id: number, change: Partial<HostTemplate> = {}): HostTemplate => ({
  ...{ template_id, task_id: 10 + template_id, time: TIME, outcome: 'ok', changed: 0, cause: null, title: '' },
  ...{ line: 0, runs: 3, days: [...Array<null>(28).fill(null), 'changed', 'ok'] },
  ...change,
});

const HOST: Host = {
  ...{ id: 7, host: 'db-03', last_success: null, last_change: null, last_failure: null, runs: [] },
  ...{ last_run: null, vanished_since: null },
  ...{ last_contact: TIME, inventories: [{ id: 4, name: 'Frankfurt' }], run_count: 6, failure_count: 1, silent: [] },
  ...{ groups: ['db', 'frankfurt'], change_count: 2 },
  facts: {
    ...{ since: TIME, since_task_id: 11, time: TIME, task_id: 11 },
    facts: {
      address: '10.24.8.13',
      distribution: 'Debian 12',
      distribution_version: '12.9',
      processors: 8,
      memory: 32_768,
    },
  },
  templates: [
    template(1, { changed: 2, outcome: 'changed' }),
    template(2, { outcome: 'failed', title: 'no space left on device', line: 42 }),
  ],
};

const FAILURE = {
  ...{ id: 3, title: 'no space left on device', cause: null, result: 'failed', step: 'Copy file' },
};

const CHANGE = { template_id: 1, task_id: 11, time: TIME, step: 'Write settings', action: 'template', line: 42 };
const EARLY = '2026-03-12T10:00:00.000Z';

const showHost = async ({ host = HOST, tab = 'overview' as HostTab, permissions = 5, status = 200 } = {}) => {
  const { prompts } = sampleTemplate();
  const answers: Record<string, unknown> = {
    '/api/project/1/hosts/7/runs': {
      ...{ first: 1, total: 1 },
      runs: [
        { time: TIME, task_id: 11, template_id: 1, outcome: 'stopped', ok: 4, changed: 0, failures: 0, skipped: 2 },
      ],
    },
    '/api/project/1/hosts/7/failures': {
      failures: [{ failure: FAILURE, runs: 2, time: TIME, task_id: 12, line: 42 }],
    },
    '/api/project/1/hosts/7/changes': {
      ...{ first: 1, total: 2 },
      changes: [
        { ...CHANGE, target: '/etc/app.conf', diff: '--- before\n+++ after\n@@ -1 +1 @@\n-size = 8\n+size = 10' },
        { ...CHANGE, target: '', diff: '', line: 0 },
      ],
    },
    '/api/project/1/hosts/7/facts': {
      versions: [
        {
          since: TIME,
          since_task_id: 11,
          time: TIME,
          task_id: 11,
          facts: { kernel: '6.1.0-31', mounts: { '/': { size: 9_000_000, free: 2_000_000 } } },
        },
        {
          since: EARLY,
          since_task_id: 9,
          time: EARLY,
          task_id: 9,
          facts: { kernel: '6.1.0-30', mounts: { '/': { size: 9_000_000, free: 2_000_000 } } },
        },
      ],
    },
    '/api/project/1/templates': [
      sampleTemplate({ id: 1, name: 'Patch', prompts: { ...prompts, limit: 'any' } }),
      sampleTemplate({ id: 2, name: 'Backup', prompts: { ...prompts, limit: 'fixed' } }),
    ],
    '/api/project/1/role': { role: 'manager', permissions, templates: [] },
  };
  answerCalls(({ path }) =>
    path === '/api/project/1/hosts/7'
      ? { status, body: status === 200 ? host : { error: 'Not found.', code: 'not_found.object' } }
      : { status: 200, body: answers[path] ?? [] },
  );
  const shown = await show(<HostPage project={1} host={7} tab={tab} />);
  return { ...shown, user: userEvent.setup() };
};

describe('the page of a host', () => {
  it('shows how the last run ended, with links to the template and the task', async () => {
    await showHost();
    const heading = await screen.findByRole('heading', { level: 1, name: 'db-03' });
    const line = await screen.findByText(
      (_, element) =>
        /^Success in Patch #11, .* ago · changed by 2 steps$/.test(element?.textContent ?? '') &&
        element?.tagName === 'P',
    );
    expect(heading.parentElement?.contains(line)).toBe(true);
    expect(within(line).getByRole('link', { name: 'Patch' }).getAttribute('href')).toBe('/project/1/templates/1');
    expect(screen.getByRole('link', { name: 'Frankfurt' }).getAttribute('href')).toBe('/project/1/inventory?edit=4');
    expect(screen.getByRole('link', { name: /^Runs ?6$/ }).getAttribute('href')).toBe('/project/1/hosts/7?show=runs');
  });

  it('is as bad as the worst of its templates, and shows since when no inventory has the host', async () => {
    await showHost({ host: { ...HOST, vanished_since: EARLY } });
    expect(await screen.findByText('1 of 2 templates failed')).toBeTruthy();
    expect(screen.getByText('vanished since Mar 12, 2026')).toBeTruthy();
  });

  it('lists the templates on the host, failed ones first, each with the outcomes of its days as text', async () => {
    await showHost();
    const rows = await screen.findAllByRole('row');
    await within(rows[1] as HTMLElement).findByText('Backup');
    expect(rows[1]?.textContent).toMatch(/^BackupFailedno space left on device#12/);
    expect(rows[2]?.textContent).toMatch(/^PatchSuccesschanged by 2 steps#11/);
    const strip = within(rows[1] as HTMLElement).getByRole('img');
    expect(strip.getAttribute('aria-label')).toContain('1 ok, 1 changed, 0 failed, 0 unreachable');
  });

  it('opens the new task dialog of a template that takes any limit, with the host as its limit', async () => {
    const { user, router } = await showHost();
    await user.click(await screen.findByRole('button', { name: 'Run on this host' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Patch' }));
    expect(screen.queryByRole('menuitem', { name: 'Backup' })).toBeNull();
    expect(router.state.location.search).toEqual({ run: 1, limit: 'db-03' });
  });

  it('offers no run to a user who may not start tasks', async () => {
    await showHost({ permissions: 0 });
    await screen.findByRole('link', { name: 'Frankfurt' });
    await screen.findAllByText('Patch');
    expect(screen.queryByRole('button', { name: 'Run on this host' })).toBeNull();
  });

  it('names a running task in which the host is silent', async () => {
    const silent = { task_id: 9, template_id: 1, name: 'Vacuum', line: 318, since: TIME, usual_ms: 22_000 };
    await showHost({ host: { ...HOST, silent: [silent] } });
    expect(await screen.findByText(/db-03 has not answered in “Vacuum”/)).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Open log at line 318' }).getAttribute('href')).toContain('t=9');
  });

  it('lists the kept runs and the failures of the host', async () => {
    await showHost({ tab: 'runs' });
    const cells = (await screen.findByText('Ended early')).closest('tr')?.textContent;
    expect(cells).toMatch(/^#11 .*PatchEnded early4002$/);
  });

  it('links a failure to the failures of the project and to its line', async () => {
    await showHost({ tab: 'failures' });
    const link = await screen.findByRole('link', { name: 'no space left on device' });
    expect(link.getAttribute('href')).toBe('/project/1/failures?q=no+space+left+on+device');
    expect(screen.getByRole('link', { name: 'Open log at line 42' }).getAttribute('href')).toContain('line=42');
  });

  it('shows its address, system and hardware from its facts, and its groups', async () => {
    await showHost();
    const values = (await screen.findAllByRole('term')).map((term) => [
      term.textContent,
      term.nextSibling?.textContent,
    ]);
    expect(values).toEqual([
      ['Address', '10.24.8.13'],
      ['System', 'Debian 12.9'],
      ['Hardware', '8 CPUs, 32 GB'],
      ['Groups', 'db, frankfurt'],
      ['Inventories', 'Frankfurt'],
      ['Last contact', '5 min ago'],
    ]);
  });

  it('lists what changed, with the difference, or with the step if it is unknown', async () => {
    await showHost({ tab: 'changes' });
    const [first, second] = await screen.findAllByRole('listitem');
    expect(first?.textContent).toMatch(
      /line 42\/etc\/app.conf Write settings \+1 −1@@ -1 \+1 @@\n-size = 8\n\+size = 10\n$/,
    );
    expect(within(first as HTMLElement).getByRole('link', { name: 'Open log at line 42' })).toBeTruthy();
    expect(second?.textContent).toMatch(/ago Write settings$/);
  });

  it('compares its facts with an earlier version', async () => {
    const { user } = await showHost({ tab: 'facts' });
    const cells = () =>
      screen
        .getAllByRole('row')
        .slice(1)
        .map((row) => row.textContent);
    await screen.findByText('6.1.0-31');
    expect(cells()).toEqual(['Kernel6.1.0-306.1.0-31', 'Mount /, size9 MB9 MB', 'Mount /, free2 MB2 MB']);
    await user.click(screen.getByRole('checkbox', { name: 'Only differences' }));
    expect(cells()).toEqual(['Kernel6.1.0-306.1.0-31']);
  });

  it('reports that a host does not exist', async () => {
    await showHost({ status: 404 });
    expect(await screen.findByText('Host not found')).toBeTruthy();
  });
});
