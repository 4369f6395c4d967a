import { QueryClient, useQuery } from '@tanstack/react-query';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, onTestFinished } from 'vitest';
import { queryKey } from '../../api/keys.ts';
import { userQuery } from '../../api/queries.ts';
import { onSessionEnd } from '../../api/session.ts';
import { show, testSocket } from '../../testing/show.tsx';
import { APP_USER } from '../../testing/show-app.tsx';
import { answerCalls, type Given } from '../../testing/test-fetch.ts';
import { Toast } from '../../ui/toast/toast.tsx';
import { useSignOut } from './use-sign-out.ts';

const Out = () => {
  useQuery(userQuery());
  const signOut = useSignOut();
  return (
    <>
      <button type="button" onClick={() => signOut.mutate()}>
        Sign Out
      </button>
      <Toast />
    </>
  );
};

/** A page that signs out; the server closes the live connection before it answers. */
const signOut = async (given: Given) => {
  const live = testSocket();
  const ends: string[] = [];
  onTestFinished(onSessionEnd((end) => ends.push(end)));
  let isOut = false;
  const calls = answerCalls(({ path }) => {
    if (path !== '/api/auth/logout') {
      return isOut ? { status: 401, body: { error: 'Sign in first.' } } : { status: 200, body: APP_USER };
    }
    isOut = given !== 'unreachable';
    live.drop();
    return given;
  });
  const client = new QueryClient({
    defaultOptions: { queries: { retry: false, staleTime: Number.POSITIVE_INFINITY } },
  });
  client.setQueryData(queryKey.user, APP_USER);
  await show(<Out />, { live, client });
  live.accept();
  const before = calls.length;
  await userEvent.click(screen.getByRole('button', { name: 'Sign Out' }));
  return { live, ends, asked: () => calls.slice(before).map(({ path }) => path) };
};

describe('signing out', () => {
  it('sends no requests while the session ends, and shows no message about an ended session', async () => {
    const { live, ends, asked } = await signOut({ status: 204 });
    await waitFor(() => expect(ends).toEqual(['left']));
    live.passTime();
    expect(asked()).toEqual(['/api/auth/logout']);
    expect(live.opened()).toBe(1);
  });

  it('keeps the user signed in and shows the reason if the server cannot be reached', async () => {
    const { live, ends } = await signOut('unreachable');
    expect(
      await screen.findByText("The server can't be reached. Check the connection and try again.", { exact: false }),
    ).toBeTruthy();
    expect(ends).toEqual([]);
    expect(live.opened()).toBe(2);
  });
});
