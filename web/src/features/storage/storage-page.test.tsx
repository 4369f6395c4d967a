import type { InstallationStorage, ProjectStorage } from '@signalbox/contract';
import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { show } from '../../testing/show.tsx';
import { answerCalls } from '../../testing/test-fetch.ts';
import { InstallationStoragePage } from './installation-storage-page.tsx';
import { StoragePage } from './storage-page.tsx';

const SIZES = { tasks: 3, logs: 2, log_bytes: 4_100_000_000, result_bytes: 20_000_000, written_per_day: 5_000_000 };
const TOTALS = { ...SIZES, growth_per_day: 2_000_000, host_bytes: 7_000_000, measured: new Date().toISOString() };

const PROJECT: ProjectStorage = {
  ...{ ...TOTALS, logs_in: 'folder', total: 5 },
  templates: [
    {
      ...{ ...SIZES, template_id: 4, name: 'Update', growth_per_day: -3_000_000 },
      ...{ logs_days: 30, tasks_days: 0, tasks_min: 20, logs_set_by: 'project' },
    },
  ],
};

const ALL: InstallationStorage = {
  ...{ ...TOTALS, logs_in: 'database', total: 1, disk: { free: 9e9, total: 40e9 }, full_in_days: 84.2 },
  projects: [{ ...TOTALS, project_id: 1, name: 'Storefront' }],
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

  it('is explained before it is measured', async () => {
    answerCalls(() => ({ status: 200, body: { ...PROJECT, measured: null, templates: [] } }));
    await show(<StoragePage project={1} tabs={null} />);
    expect(await screen.findByText(/^Sizes are measured/)).toBeTruthy();
    expect(screen.queryByRole('table')).toBeNull();
  });
});

describe('the storage of all projects', () => {
  it('shows when the disk is full, if that is known', async () => {
    answerCalls(() => ({ status: 200, body: ALL }));
    await show(<InstallationStoragePage back={null} />);
    expect(await screen.findByText('in about 84 days')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Storefront' })).toBeTruthy();
  });

  it('leaves this out if it is not known', async () => {
    answerCalls(() => ({ status: 200, body: { ...ALL, disk: null, full_in_days: null } }));
    await show(<InstallationStoragePage back={null} />);
    expect(await screen.findByRole('link', { name: 'Storefront' })).toBeTruthy();
    expect(screen.queryByText('Disk full')).toBeNull();
  });
});
