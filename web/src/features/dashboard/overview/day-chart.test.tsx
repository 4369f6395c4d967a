import { fireEvent, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { show } from '../../../testing/show.tsx';
import { DayChart } from './day-chart.tsx';

it('a chart of days shows its largest number, and that of the day below the pointer', async () => {
  const { container } = await show(
    <DayChart days={['2026-11-26', '2026-11-27']} values={[1200, 7]} label="Changes: 1200, 7" />,
  );
  expect(screen.getByRole('img', { name: 'Changes: 1200, 7' })).toBeTruthy();
  expect(screen.getByText('1,200')).toBeTruthy();
  const day = container.querySelector('[data-day="2026-11-27"]') as Element;
  fireEvent.pointerEnter(day);
  expect(screen.getByText('Nov 27, 2026: 7')).toBeTruthy();
  fireEvent.pointerLeave(day);
  expect(screen.queryByText('Nov 27, 2026: 7')).toBeNull();
});
