import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it } from 'vitest';
import { SignInPage } from '../features/session/sign-in-page.tsx';
import { chooseLanguage } from '../lang/language.ts';
import { answerCalls } from '../testing/answering-fetch.ts';
import { show } from '../testing/show.tsx';
import { LanguageMenu } from './language-menu.tsx';
import { storage } from './storage.ts';

afterEach(() => chooseLanguage('en'));

const entries = () => screen.getAllByRole('menuitem').map(({ textContent }) => textContent);
const marked = () =>
  screen
    .getAllByRole('menuitem')
    .filter((item) => item.getAttribute('aria-current') === 'true')
    .map(({ textContent }) => textContent);

describe('the language menu', () => {
  it('names each language in itself, and marks what was chosen', async () => {
    await chooseLanguage('system');
    await show(<LanguageMenu position="top-end" />);
    const user = userEvent.setup();
    await user.click(screen.getByRole('button', { name: 'Language' }));
    expect(entries()).toEqual(['System', 'English', 'Русский', 'Deutsch', '中文', 'Français', 'Português']);
    expect(marked()).toEqual(['System']);
    await user.click(screen.getByRole('menuitem', { name: 'English' }));
    await user.click(screen.getByRole('button', { name: 'Language' }));
    await waitFor(() => expect(marked()).toEqual(['English']));
  });

  it('changes every text at once, keeps what was typed, and goes back to the system', async () => {
    answerCalls(() => ({ status: 200, body: { oidc_providers: [], login_with_password: true } }));
    await show(<SignInPage onSignedIn={() => undefined} />);
    const user = userEvent.setup();
    await user.type(screen.getByLabelText('Username or e-mail'), 'mara');
    await user.click(await screen.findByRole('button', { name: 'Language' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Deutsch' }));
    expect(await screen.findByRole('button', { name: 'Anmelden' })).toBeTruthy();
    expect(screen.getByLabelText<HTMLInputElement>('Benutzername oder E-Mail').value).toBe('mara');
    expect(storage.language()).toBe('de');
    expect(document.documentElement.lang).toBe('de');
    expect(document.title).toBe('Anmelden · Signalbox');

    await user.click(screen.getByRole('button', { name: 'Sprache' }));
    const menu = await screen.findByRole('menu');
    await user.click(within(menu).getByRole('menuitem', { name: 'Wie im System' }));
    expect(await screen.findByRole('button', { name: 'Sign in' })).toBeTruthy();
    expect(storage.language()).toBeUndefined();
  });

  it('is chosen with the keyboard alone', async () => {
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
