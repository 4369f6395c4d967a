import { useForm } from '@mantine/form';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { sampleTemplate } from '../../../testing/sample.ts';
import { show } from '../../../testing/show.tsx';
import { answerCalls } from '../../../testing/test-fetch.ts';
import { LockFields } from './lock-fields.tsx';
import { TemplateFormDialog } from './template-form-dialog.tsx';
import type { TemplateValues } from './template-values.ts';

it('lets a template lock its hosts by keyboard, and saves it', async () => {
  const stored = sampleTemplate({ locks: ['release'] });
  const calls = answerCalls(({ method, path }) => {
    if (method !== 'GET') return { status: 204 };
    return { status: 200, body: path.endsWith('/templates/1') ? stored : [] };
  });
  await show(<TemplateFormDialog project={1} template={1} onClose={() => undefined} onSaved={() => undefined} />);
  const user = userEvent.setup();
  const box = await screen.findByRole('checkbox', { name: 'Lock the hosts of the run' });
  expect((box as HTMLInputElement).checked).toBe(false);
  box.focus();
  await user.keyboard(' ');
  expect((box as HTMLInputElement).checked).toBe(true);
  await user.click(screen.getByRole('button', { name: 'Save template' }));
  const saved = calls.find(({ method }) => method === 'PUT');
  expect(saved?.body).toMatchObject({ lock_hosts: true, locks: ['release'] });
});

const Fields = ({ hasHosts }: { hasHosts: boolean }) => {
  const form = useForm<TemplateValues>({
    initialValues: { locks: [], lock_hosts: false } as unknown as TemplateValues,
  });
  return <LockFields form={form} hasHosts={hasHosts} />;
};

it.each([true, false])('offers to lock hosts only for an app whose runs have them: %s', async (hasHosts) => {
  await show(<Fields hasHosts={hasHosts} />);
  expect(await screen.findByRole('combobox', { name: 'Locks' })).toBeTruthy();
  expect(screen.queryByRole('checkbox', { name: 'Lock the hosts of the run' }) !== null).toBe(hasHosts);
});
