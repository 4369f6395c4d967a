import type { InstallationStorage, ProjectStorage } from '@signalbox/contract';
import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { show } from '../../testing/show.tsx';
import { answerCalls } from '../../testing/test-fetch.ts';
import { exactTime } from '../../ui/time/time.ts';
import { InstallationStoragePage } from './installation-storage-page.tsx';
import { StoragePage } from './storage-page.tsx';

const SIZES = { tasks: 3, logs: 2, log_bytes: 4_100_000_000, result_bytes: 20_000_000, written_per_day: 5_000_000 };
const TOTALS = { ...SIZES, growth_per_day: 2_000_000, host_bytes: 7_000_000, measured: new Date().toISOString() };

const MEASUREMENT = { outdated: false, next_sweep: '2026-11-27T10:42:00.000Z' };

const PROJECT: ProjectStorage = {
  ...{ ...TOTALS, ...MEASUREMENT, logs_in: 'folder', total: 5 },
  templates: [
    {
      ...{ ...SIZES, template_id: 4, name: 'Update', growth_per_day: -3_000_000 },
      ...{ logs_days: 30, tasks_days: 0, tasks_min: 20, logs_set_by: 'project' },
    },
  ],
};

const ALL: InstallationStorage = {
  ...{ ...TOTALS, ...MEASUREMENT, logs_in: 'database', total: 2, disk: { free: 9e9, total: 40e9 }, full_in_days: 84.2 },
  projects: [
    { ...TOTALS, project_id: 1, name: 'Storefront' },
    { ...TOTALS, project_id: 2, name: 'New', measured: null },
  ],
};

describe('the storage of a project', () => {
  it('is shown by template, with links, growth and how long logs are kept', async () => {
    answerCalls(() => ({ status: 200, body: PROJECT }));
    await show(<StoragePage project={1} tabs={null} />);
    const row = (await screen.findByRole('link', { name: 'Update' })).closest('tr') as HTMLElement;
    for (const text of ['4.1 GB', '−3 MB', '30 days'])
      expect(within(row).getAllByText(text, { exact: false })).toBeTruthy();
    expect(screen.getByText('a folder')).toBeTruthy();
    expect(screen.getByText('The largest 1 of 5.')).toBeTruthy();
  });

  it('shows before the first measurement that nothing was measured, and when it will be', async () => {
    answerCalls(() => ({ status: 200, body: { ...PROJECT, measured: null, templates: [] } }));
    await show(<StoragePage project={1} tabs={null} />);
    expect(await screen.findByText('Not measured yet.')).toBeTruthy();
    expect(screen.getByText(`Next measurement: ${exactTime(MEASUREMENT.next_sweep)}.`)).toBeTruthy();
    expect(screen.queryByRole('table')).toBeNull();
  });

  it('shows that tasks have ended since the measurement, and when expired logs are removed next', async () => {
    answerCalls(() => ({ status: 200, body: { ...PROJECT, outdated: true, next_sweep: null } }));
    await show(<StoragePage project={1} tabs={null} />);
    expect(await screen.findByText(/^Tasks have ended since .* Sizes are being measured\.$/)).toBeTruthy();
    expect(screen.getByText('Next cleanup').nextElementSibling?.textContent).toBe('now');
  });
});

describe('the storage of all projects', () => {
  it('shows when the disk is full, if that is known', async () => {
    answerCalls(() => ({ status: 200, body: ALL }));
    await show(<InstallationStoragePage back={null} />);
    expect(await screen.findByText('in about 84 days')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Storefront' })).toBeTruthy();
    expect(screen.getByRole('row', { name: 'New Not measured yet.' })).toBeTruthy();
    expect(screen.getByText('Next cleanup').nextElementSibling?.textContent).toBe(exactTime(MEASUREMENT.next_sweep));
  });

  it('leaves this out if it is not known', async () => {
    answerCalls(() => ({ status: 200, body: { ...ALL, disk: null, full_in_days: null } }));
    await show(<InstallationStoragePage back={null} />);
    expect(await screen.findByRole('link', { name: 'Storefront' })).toBeTruthy();
    expect(screen.queryByText('Disk full')).toBeNull();
  });
});
