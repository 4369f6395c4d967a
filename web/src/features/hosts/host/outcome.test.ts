import { expect, it } from 'vitest';
import { statusStyle } from '../../../ui/tasks/status.ts';
import { OUTCOMES } from './outcome.ts';

it('an unreachable host has an icon that no other outcome and no status has', () => {
  const { unreachable, ...others } = OUTCOMES;
  const shapes = Object.values(others).map(({ shape }) => shape);
  for (const status of ['waiting', 'running', 'success', 'error', 'stopped', 'pending', 'none'] as const)
    shapes.push(statusStyle(status).shape);
  expect(shapes).not.toContain(unreachable.shape);
});
