import './ui/theme/styles.ts';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { callEarly } from './api/early-calls.ts';
import { isSignedIn } from './api/session.ts';
import { isOpenPage, requestedPage, signInUrl, urlAfterSignIn } from './app/sign-in-url.ts';
import { loadConsoleTexts, preloadConsoleTexts, startLanguage } from './lang/language.ts';

const element = document.getElementById('root');
if (!element) throw new Error('The page has no #root element');
const root = createRoot(element);

const here = () => new URL(location.href);
const base = new URL(document.baseURI);
const goTo = (address: URL) => window.history.replaceState(null, '', address);

const openApp = async () => {
  const [{ App }] = await Promise.all([import('./app/app.tsx'), loadConsoleTexts()]);
  root.render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
};

const openSignIn = async () => {
  goTo(signInUrl(base, here()));
  const { SignInApp } = await import('./app/sign-in-app.tsx');
  const enter = () => {
    goTo(urlAfterSignIn(base, here()));
    void openApp();
  };
  root.render(
    <StrictMode>
      <SignInApp onSignedIn={enter} page={requestedPage(here())} errorCode={here().searchParams.get('error')} />
    </StrictMode>,
  );
  // Loads the code of the next pages while the user types.
  // Errors are those of the next page, which loads again.
  const load = () => void Promise.all([import('./app/app.tsx'), preloadConsoleTexts()]).catch(() => undefined);
  element.addEventListener('input', load, { once: true });
};

callEarly(here().pathname.slice(base.pathname.length));
const isApp = isSignedIn() || isOpenPage(base, here());
// Loaded with the texts. An error is that of `openApp`, which loads again.
if (isApp) void import('./app/app.tsx').catch(() => undefined);
await startLanguage();
await (isApp ? openApp() : openSignIn());
