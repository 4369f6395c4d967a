const MARKER = 'signalbox_signed_in';

/** Whether the browser has a session, according to the readable cookie next to the session cookie. */
export const isSignedIn = (cookies: string = document.cookie): boolean =>
  cookies.split(';').some((cookie) => cookie.trim() === `${MARKER}=1`);

/**
 * How a session ended: the user signed out, or the server no longer knows the session. `due`: the session is valid, but
 * allows nothing until a second factor is set up.
 */
export type SessionEnd = 'left' | 'expired' | 'due';

const listeners = new Set<(end: SessionEnd) => void>();

/** Calls the listener whenever the session ends. Returns a function that removes the listener. */
export const onSessionEnd = (listener: (end: SessionEnd) => void): (() => void) => {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
};

/** Notifies the page that the session has ended. */
export const endSession = (end: SessionEnd): void => {
  for (const listener of [...listeners]) listener(end);
};
