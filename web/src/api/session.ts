const MARKER = 'signalbox_signed_in';

/** Whether the browser holds a session, told from the readable cookie beside the session's own. */
export const isSignedIn = (cookies: string = document.cookie): boolean =>
  cookies.split(';').some((cookie) => cookie.trim() === `${MARKER}=1`);

const listeners = new Set<() => void>();

/** Calls back whenever the server says that the session is over. Returns how to stop that. */
export const onSessionEnd = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
};

/** Tells the page that the session is over: the server answered 401, or the person signed out. */
export const endSession = (): void => {
  for (const listener of [...listeners]) listener();
};
