import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { describe, expect, it } from 'vitest';
import { useRepositoryFiles } from '../../api/use-runner-lookup.ts';
import { show } from '../../testing/show.tsx';
import { answerCalls, type Given } from '../../testing/test-fetch.ts';
import { playbooksOf } from '../../ui/forms/repository-paths.ts';
import { SuggestInput } from '../../ui/forms/suggest-input.tsx';

const FILES = '/api/project/1/repositories/2/files';

const Field = () => {
  const [value, setValue] = useState('');
  const { values: files, ...lookup } = useRepositoryFiles(1, 2);
  return (
    <SuggestInput
      suggestions={playbooksOf(files)}
      {...lookup}
      label="Playbook"
      help="Path in the repository."
      value={value}
      onChange={setValue}
    />
  );
};

const showField = async (answer: () => Given | Promise<Given>) => {
  const calls = answerCalls(answer);
  await show(<Field />);
  const field = screen.getByRole('combobox', { name: 'Playbook' }) as HTMLInputElement;
  return { calls, field, user: userEvent.setup() };
};

describe('a path inside a repository', () => {
  it('can be chosen from the files that a runner finds after the field is focused', async () => {
    const body = { files: ['a/web.yml', 'site.yml', 'README.md'], complete: true };
    const { calls, field, user } = await showField(() => ({ status: 200, body }));
    expect(calls).toEqual([]);
    await user.click(field);
    await user.click(await screen.findByRole('option', { name: 'site.yml' }));
    expect(field.value).toBe('site.yml');
    await user.clear(field);
    await user.type(field, 'web');
    expect(screen.getAllByRole('option').map((option) => option.textContent)).toEqual(['a/web.yml']);
    expect(calls.map(({ path }) => path)).toEqual([FILES]);
  });

  it('can be typed while the lookup is in progress, which is shown', async () => {
    const { promise, resolve } = Promise.withResolvers<Given>();
    const { field, user } = await showField(() => promise);
    await user.type(field, 'my/own.yml');
    expect(screen.getByText('Reading the repository …')).toBeTruthy();
    expect(field.value).toBe('my/own.yml');
    resolve({ status: 200, body: { files: [], complete: true } });
    await screen.findByText('Path in the repository.');
    expect(field.value).toBe('my/own.yml');
  });

  it('can be typed without a runner, with the reason why nothing is suggested and a retry', async () => {
    const answers: Given[] = [
      {
        status: 503,
        body: { error: 'No runner has read the repository: none is connected, or it took too long.' },
      },
      { status: 200, body: { files: ['site.yml'], complete: true } },
    ];
    const { field, user } = await showField(() => answers.shift() ?? 'unreachable');
    await user.type(field, 'x');
    await screen.findByText(
      'No suggestions: No runner has read the repository: none is connected, or it took too long.',
    );
    expect(field.value).toBe('x');
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    await waitFor(() => expect(screen.queryByText(/No suggestions/)).toBeNull());
    await user.clear(field);
    expect(await screen.findByRole('option', { name: 'site.yml' })).toBeTruthy();
  });
});
