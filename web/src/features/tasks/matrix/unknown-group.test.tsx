import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { show } from '../../../testing/show.tsx';
import { UnknownGroup } from './unknown-group.tsx';

it.each([
  [['web', 'db'], 'There is no group or host named wep. Groups of the inventory: web, db'],
  [[], 'There is no group or host named wep. The inventory has no groups.'],
])('a search for an unknown group shows which of the groups %j exist', async (groups, text) => {
  await show(<UnknownGroup parts={['wep']} groups={groups} />);
  expect(screen.getByRole('status').textContent).toContain(text);
});
