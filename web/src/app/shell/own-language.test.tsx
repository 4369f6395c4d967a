import { act, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { chooseLanguage } from '../../lang/language.ts';
import { APP_USER, showApp } from '../../testing/show-app.tsx';

afterEach(() => chooseLanguage('en'));

const showAs = async (language: string | null) => {
  const { calls } = await showApp('/project/1/history', { answers: { '/api/user': { ...APP_USER, language } } });
  return () => calls.filter(({ method }) => method === 'PUT').map(({ path, body }) => ({ path, body }));
};

describe('the language of the signed-in user', () => {
  it('is stored on the server if the server has none', async () => {
    await chooseLanguage('fr');
    const stored = await showAs(null);
    await waitFor(() => expect(stored()).toEqual([{ path: '/api/users/1', body: { language: 'fr' } }]));
  });

  it('is stored when the user chooses another one, not when the browser has another one', async () => {
    await chooseLanguage('de');
    const stored = await showAs('ru');
    await act(() => chooseLanguage('pt'));
    await waitFor(() => expect(stored()).toEqual([{ path: '/api/users/1', body: { language: 'pt' } }]));
    await act(() => chooseLanguage('zh'));
    await waitFor(() => expect(stored()).toHaveLength(2));
    expect(stored()[1]?.body).toEqual({ language: 'zh' });
  });
});
