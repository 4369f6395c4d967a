import type { HostChange } from '@signalbox/contract';
import { expect, it } from 'vitest';
import { show } from '../../../testing/show.tsx';
import { ChangeItem } from './change-item.tsx';

const CHANGE: HostChange = {
  ...{ template_id: 1, task_id: 4, time: '2026-11-27T10:00:00.000Z', step: 'Restart', action: 'service' },
  ...{ target: '', line: 7, diff: '' },
};

it('a change without a file has the name of its step, or else its module, and nothing to open', async () => {
  const { container } = await show(
    <ul>
      <ChangeItem change={CHANGE} />
      <ChangeItem change={{ ...CHANGE, step: '', diff: '--- before\n+++ after\n' }} />
      <ChangeItem change={{ ...CHANGE, target: '/etc/motd', diff: '--- before\n+++ after\n@@ -1 +1 @@\n-a\n+b' }} />
    </ul>,
  );
  const items = [...container.querySelectorAll('li')];
  expect(items.map((item) => item.querySelector('details') !== null)).toEqual([false, false, true]);
  expect(items[0]?.textContent).toContain('Restart');
  expect(items[1]?.querySelector('code')?.textContent).toBe('service');
});
