import type { TaskStatistics } from '@signalbox/contract';
import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { show } from '../../../testing/show.tsx';
import { answerCalls } from '../../../testing/test-fetch.ts';
import { Charts } from './charts.tsx';

const DAYS: TaskStatistics['days'] = [
  { day: '2026-03-08', success: 0, error: 0, stopped: 1, seconds: null },
  { day: '2026-03-09', success: 0, error: 0, stopped: 0, seconds: null },
  { day: '2026-03-10', success: 6, error: 2, stopped: 0, seconds: 65 },
];
const TEMPLATES: TaskStatistics['templates'] = [
  { template_id: 7, name: 'Deploy', tasks: 8, succeeded: 6, failed: 2, seconds: 65 },
  { template_id: 3, name: 'Ping', tasks: 1, succeeded: 0, failed: 0, seconds: null },
];

const showCharts = async (statistics: Partial<TaskStatistics>) => {
  const calls = answerCalls(() => ({ status: 200, body: { days: DAYS, templates: TEMPLATES, ...statistics } }));
  await show(<Charts project={1} />);
  return calls;
};

const cells = (table: HTMLElement) =>
  within(table)
    .getAllByRole('row')
    .slice(1)
    .map((row) => [...row.children].map((cell) => cell.textContent));

describe('the charts of the dashboard', () => {
  it('have tables with the same values for screen readers', async () => {
    const calls = await showCharts({});
    expect(cells(await screen.findByRole('table', { name: 'Outcomes per day' }))).toEqual(
      [
        ['8 Mar', '0', '0', '1'],
        ['9 Mar', '0', '0', '0'],
        ['10 Mar', '6', '2', '0'],
      ].map(([day, ...rest]) => [expect.stringMatching(new RegExp(`${day?.split(' ')[0]}`)), ...rest]),
    );
    expect(cells(screen.getByRole('table', { name: 'Typical duration' }))).toEqual([[expect.any(String), '1:05']]);
    expect(cells(screen.getByRole('table', { name: 'Busiest templates' }))).toEqual([
      ['Deploy', '8', '2', '1:05'],
      ['Ping', '1', '0', '–'],
    ]);
    expect(screen.getByText('Success 6')).toBeTruthy();
    expect(calls.map(({ path }) => path)).toEqual(['/api/project/1/tasks/statistics']);
  });

  it('stack their bars within the axis', async () => {
    await showCharts({});
    await screen.findByRole('table', { name: 'Outcomes per day' });
    const bars = [...document.querySelectorAll('figure:first-child rect')].map((rect) => [
      Number(rect.getAttribute('y')),
      Number(rect.getAttribute('height')),
    ]);
    expect(bars).toHaveLength(3);
    const [, success, error] = bars as [number, number][];
    expect((error?.[0] ?? 0) + (error?.[1] ?? 0)).toBeCloseTo((success?.[0] ?? 0) - 1);
    for (const [y = 0, height = 0] of bars) expect(y >= 10 && y + height <= 112).toBe(true);
  });

  it('show neither success nor failure for a template whose tasks were only stopped', async () => {
    await showCharts({});
    const widths = (name: string) =>
      [...(screen.getByRole('link', { name }).closest('th')?.querySelectorAll('rect') ?? [])].map((rect) =>
        Number(rect.getAttribute('width')),
      );
    await screen.findByRole('table', { name: 'Busiest templates' });
    expect(widths('Deploy')).toEqual([80, 80, 20]);
    expect(widths('Ping')).toEqual([10, 0, 0]);
  });

  it('are not shown before a task has ended', async () => {
    await showCharts({ templates: [] });
    expect(screen.queryByRole('heading')).toBeNull();
  });
});
