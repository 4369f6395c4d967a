import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { sampleVariable } from '../../../testing/sample.ts';
import { DEPLOY, showDialog } from '../testing/show-dialog.tsx';

describe('answers that are refused in the new task dialog', () => {
  it('are all shown at once, also those of patterns', async () => {
    const survey_vars = [
      sampleVariable({ name: 'release', title: 'Release', pattern: '\\d+\\.\\d+', pattern_message: 'like 2.4' }),
      sampleVariable({ name: 'count', title: 'Count', type: 'int', max: 5 }),
      sampleVariable({ name: 'owner', title: 'Owner', required: true }),
    ];
    const { user, posts } = await showDialog({ template: { ...DEPLOY, survey_vars } });
    await user.type(screen.getByLabelText(/^Release/), 'two');
    await user.type(screen.getByLabelText(/^Count/), '6');
    await user.click(await screen.findByRole('button', { name: /^Deploy 2\.14\.0/ }));
    for (const text of [/like 2\.4/, 'Count must be at most 5', 'Owner is required'])
      expect(screen.getByText(text)).toBeTruthy();
    expect(document.activeElement).toBe(screen.getByLabelText(/^Release/));
    expect(posts()).toEqual([]);
  });

  it('have the focus, and no choices cover their errors', async () => {
    const values = Array.from({ length: 5 }, (_, n) => ({ name: '', value: `zone ${n}` }));
    const zone = sampleVariable({ name: 'zone', title: 'Zone', type: 'enum', required: true, values });
    const { user } = await showDialog({ template: { ...DEPLOY, survey_vars: [zone] } });
    await user.click(await screen.findByRole('button', { name: /^Deploy 2\.14\.0/ }));
    expect(screen.getByText('Zone is required')).toBeTruthy();
    const input = screen.getByRole('combobox', { name: /^Zone/ });
    expect([document.activeElement, input.getAttribute('aria-expanded')]).toEqual([input, 'false']);
    await user.keyboard('{ArrowDown}');
    expect(input.getAttribute('aria-expanded')).toBe('true');
  });
});
