import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { sampleTask } from '../../testing/sample.ts';
import { show } from '../../testing/show.tsx';
import { TaskBy, Version } from './task-cells.tsx';

const target = (name: string) => screen.getByRole('link', { name }).getAttribute('href');

describe('the version of a task', () => {
  it('links to the task that built it', async () => {
    await show(<Version task={sampleTask({ id: 9, version: '2.4.1', build_task_id: 5 })} />, {
      at: '/project/1/history',
    });
    expect(target('2.4.1')).toBe('/project/1/history?t=5');
  });

  it('links to the task itself for a build', async () => {
    await show(<Version task={sampleTask({ id: 9, version: '2.4.1' })} />, { at: '/project/1/history' });
    expect(target('2.4.1')).toBe('/project/1/history?t=9');
  });

  it.each([null, sampleTask({ version: null })])('is a dash where there is none', async (task) => {
    await show(<Version task={task} />);
    expect(screen.getByText('–')).toBeTruthy();
    expect(screen.queryByRole('link')).toBeNull();
  });
});

describe('the name of who started a task', () => {
  it.each([
    [{ user_name: 'Ada' }, 'Ada,'],
    [{ user_name: '', build_task_id: 5 }, '5'],
  ])('%j', async (change, text) => {
    const { container } = await show(<TaskBy task={sampleTask({ id: 9, ...change })} />);
    expect(container.textContent).toContain(text);
    expect(target('#9')).toBe('/?t=9');
  });
});
