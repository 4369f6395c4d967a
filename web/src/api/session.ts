const MARKER = 'signalbox_signed_in';

/** Whether the browser holds a session, told from the readable cookie beside the session's own. */
export const isSignedIn = (cookies: string = document.cookie): boolean =>
  cookies.split(';').some((cookie) => cookie.trim() === `${MARKER}=1`);

/**
 * How a session ended: the person left, or the server does not know it any more. `due`: it stands, but leads nowhere
 * before a second factor is set up.
 */
export type SessionEnd = 'left' | 'expired' | 'due';

const listeners = new Set<(end: SessionEnd) => void>();

/** Calls back whenever the session is over. Returns how to stop that. */
export const onSessionEnd = (listener: (end: SessionEnd) => void): (() => void) => {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
};

/** Tells the page that the session is over. */
export const endSession = (end: SessionEnd): void => {
  for (const listener of [...listeners]) listener(end);
};
