import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it } from 'vitest';
import { chooseLanguage } from '../../lang/language.ts';
import { show } from '../../testing/show.tsx';
import { storage } from '../browser/storage.ts';
import { LanguageMenu } from './language-menu.tsx';

afterEach(() => chooseLanguage('en'));

const entries = () => screen.getAllByRole('menuitem').map(({ textContent }) => textContent);
const marked = () =>
  screen
    .getAllByRole('menuitem')
    .filter((item) => item.getAttribute('aria-current') === 'true')
    .map(({ textContent }) => textContent);

describe('the language menu', () => {
  it('shows each language by its native name, and the chosen one as selected', async () => {
    await chooseLanguage('system');
    await show(<LanguageMenu position="top-end" />);
    const user = userEvent.setup();
    await user.click(screen.getByRole('button', { name: 'Language' }));
    // The menu is fetched when it is first wanted.
    await screen.findByRole('menu', undefined, { timeout: 10_000 });
    expect(entries()).toEqual(['System', 'English', 'Русский', 'Deutsch', '中文', 'Français', 'Português']);
    expect(marked()).toEqual(['System']);
    await user.click(screen.getByRole('menuitem', { name: 'English' }));
    await user.click(screen.getByRole('button', { name: 'Language' }));
    await waitFor(() => expect(marked()).toEqual(['English']));
  });

  it('returns to the system language, which is stored as no choice', async () => {
    await chooseLanguage('de');
    await show(<LanguageMenu position="top-end" />);
    const user = userEvent.setup();
    await user.click(screen.getByRole('button', { name: 'Sprache' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Wie im System' }, { timeout: 10_000 }));
    expect(await screen.findByRole('button', { name: 'Language' })).toBeTruthy();
    expect(storage.language()).toBeUndefined();
  });

  it('can be used with the keyboard alone', async () => {
    await show(<LanguageMenu position="top-end" />);
    const user = userEvent.setup();
    await user.tab();
    await user.keyboard('{Enter}');
    await screen.findByRole('menu');
    await user.keyboard('{ArrowDown}{End}{Enter}');
    expect(await screen.findByRole('button', { name: 'Idioma' })).toBeTruthy();
    expect(storage.language()).toBe('pt');
  });
});
