import './ui/theme/styles.ts';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { isSignedIn } from './api/session.ts';
import { addressBehind, isOpenPage, pageBehind, signInAddress } from './app/sign-in-address.ts';
import { startLanguage } from './lang/language.ts';

const element = document.getElementById('root');
if (!element) throw new Error('The page has no #root element');
const root = createRoot(element);

const here = () => new URL(location.href);
const base = new URL(document.baseURI);
const goTo = (address: URL) => window.history.replaceState(null, '', address);

const openApp = async () => {
  const { App } = await import('./app/app.tsx');
  root.render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
};

const openEntrance = async () => {
  goTo(signInAddress(base, here()));
  const { Entrance } = await import('./app/sign-in-app.tsx');
  const enter = () => {
    goTo(addressBehind(base, here()));
    void openApp();
  };
  root.render(
    <StrictMode>
      <Entrance onSignedIn={enter} page={pageBehind(here())} fault={here().searchParams.get('error')} />
    </StrictMode>,
  );
  // Loads the code of the next pages while the user types.
  element.addEventListener('input', () => void import('./app/app.tsx'), { once: true });
};

await startLanguage();
await (isSignedIn() || isOpenPage(base, here()) ? openApp() : openEntrance());
