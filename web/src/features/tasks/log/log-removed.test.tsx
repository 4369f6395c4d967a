import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { sampleCluster, sampleRecords } from '../../../testing/sample.ts';
import { showTask } from '../show-task.testing.tsx';

const removed = (set_by: 'template' | 'project' | 'system', days: number) => ({
  status: 'success' as const,
  log_removed: true,
  log_removal: { at: '2026-11-03T10:00:00.000Z', days, set_by },
});

describe('a task whose log was removed', () => {
  it.each([
    [removed('template', 1), /^The log was removed on .*3.*: logs of this template are kept for 1 day\./],
    [removed('project', 30), /: logs of this project are kept for 30 days\. The results stay\.$/],
    [removed('system', 90), /: logs are kept for 90 days\./],
    [{ ...removed('system', 90), log_removal: null }, /^The log was removed because it was too old\.$/],
  ])('shows when, and by which setting, instead of an empty log', async (task, text) => {
    await showTask({ task });
    expect(await screen.findByText(text)).toBeTruthy();
    expect(screen.queryByText('No output yet.')).toBeNull();
  });

  it('offers neither a download nor a line of the log', async () => {
    await showTask({ task: { ...removed('project', 30), status: 'error' }, clusters: [sampleCluster()] });
    expect(await screen.findByText(/logs of this project are kept for 30 days/)).toBeTruthy();
    expect(await screen.findByRole('button', { name: 'Copy hosts' })).toBeTruthy();
    expect(screen.queryByRole('link', { name: 'Download log' })).toBeNull();
    expect(screen.queryByRole('button', { name: /^Open log/ })).toBeNull();
  });

  it('still shows the results of its hosts', async () => {
    await showTask({ task: removed('project', 30), records: sampleRecords, props: { tab: 'hosts' } });
    expect(await screen.findByText(/logs of this project are kept for 30 days/)).toBeTruthy();
    expect(await screen.findByRole('tab', { name: /^Hosts\s*2$/ })).toBeTruthy();
  });
});
