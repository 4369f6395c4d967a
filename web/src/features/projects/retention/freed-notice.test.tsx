import { useForm } from '@mantine/form';
import { fireEvent, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { show } from '../../../testing/show.tsx';
import { answerCalls } from '../../../testing/test-fetch.ts';
import { RetentionInputs } from './retention-inputs.tsx';

const SYSTEM = { keep_tasks_days: 0, keep_logs_days: 90, keep_tasks_min: 20 };
const MEASURED = { system: SYSTEM, measured: '2026-11-27T10:00:00.000Z', outdated: false, next_sweep: null };
const EMPTY = { keep_tasks_days: '', keep_logs_days: '', keep_tasks_min: '' };

const Inputs = () => <RetentionInputs form={useForm({ initialValues: { retention: EMPTY } })} project={1} />;

it('what settings would free is read when the user stops typing, and no other size is shown before', async () => {
  const calls = answerCalls(({ query }) => ({
    status: 200,
    body: { ...MEASURED, bytes: query.get('keep_logs_days') === '365' ? 2_000_000 : 0 },
  }));
  await show(<Inputs />);
  const before = (await screen.findByText(/./, { selector: '[role=status]' })).textContent;
  for (const value of ['3', '36', '365']) {
    fireEvent.change(screen.getByLabelText('Days to keep logs'), { target: { value } });
    expect(screen.getByRole('status').textContent).toBe('');
  }
  const after = await screen.findByText(/./, { selector: '[role=status]' });
  expect(after.textContent).toContain('2 MB');
  expect(after.textContent).not.toBe(before);
  expect(calls.map(({ query }) => query.get('keep_logs_days'))).toEqual([null, '365']);
});

it('an empty field shows the setting of the system that is in force', async () => {
  answerCalls(() => ({ status: 200, body: { ...MEASURED, bytes: 0 } }));
  await show(<Inputs />);
  const shown = (label: string) => screen.getByLabelText(label).getAttribute('placeholder');
  await expect.poll(() => shown('Days to keep logs')).toBe('System setting: 90');
  expect(shown('Days to keep tasks')).toBe('System setting: forever');
  expect(shown('Always keep the newest')).toBe('System setting: 20');
});
