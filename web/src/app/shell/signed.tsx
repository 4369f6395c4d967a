import type { CurrentUser } from '@signalbox/contract';
import { useQueryClient } from '@tanstack/react-query';
import { Outlet, useLocation } from '@tanstack/react-router';
import { Suspense, useSyncExternalStore } from 'react';
import { call } from '../../api/call.ts';
import { queryKey } from '../../api/keys.ts';
import { endSession } from '../../api/session.ts';
import { LiveProvider } from '../../live/live.tsx';
import { lazyPart } from '../../ui/browser/lazy-part.ts';
import { onSessionExpired, sessionExpired, setSessionExpired } from '../session-watch.ts';
import { useOwnLanguage } from './own-language.ts';

const SessionDialog = lazyPart(() => import('../../features/session/session-dialog.tsx'), 'SessionDialog');

/** Asks the user to sign in again after the session ended while a page was open. */
const SignInAgain = () => {
  const client = useQueryClient();
  const page = useLocation({ select: ({ href }) => href });
  const expired = useSyncExternalStore(onSessionExpired, sessionExpired);
  if (!expired) return null;
  const before = client.getQueryData<CurrentUser>(queryKey.user);
  const goOn = async (): Promise<void> => {
    const user = await call('currentUser');
    // The open page belongs to the user who was signed in before.
    if (user.id !== before?.id) location.assign(new URL('.', document.baseURI));
    setSessionExpired(false);
    await client.invalidateQueries();
  };
  return (
    <Suspense>
      <SessionDialog
        name={before?.username ?? ''}
        page={page}
        onSignedIn={() => void goOn()}
        onLeave={() => endSession('left')}
      />
    </Suspense>
  );
};

/** A message for screen readers only. */
const OwnLanguage = () => {
  useOwnLanguage();
  return null;
};

/** Everything that needs a session. The live connection is open while this is shown. */
export const Signed = () => (
  <LiveProvider>
    <Outlet />
    <OwnLanguage />
    <SignInAgain />
  </LiveProvider>
);
