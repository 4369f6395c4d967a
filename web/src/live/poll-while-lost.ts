import type { LiveSocket } from './live-socket.ts';

/** Between two looks while there is no live connection, in milliseconds. */
export const LOST_POLL_MS = 10_000;

export interface LostPollOptions {
  readonly later: (milliseconds: number, run: () => void) => () => void;
  /** Whether nobody sees the page: nothing is asked then. */
  readonly isHidden: () => boolean;
  /** A cheap call that tells whether the server answers; fails while it does not. */
  readonly ask: () => Promise<unknown>;
  /** The server answers although the live connection does not stand: what is shown has to be asked for. */
  readonly onAnswer: () => void;
}

/**
 * Looks now and then while the live connection is lost: a proxy may let calls through and no WebSocket.
 * @returns ends it
 */
export const pollWhileLost = (
  socket: LiveSocket,
  { later, isHidden, ask, onAnswer }: LostPollOptions,
): (() => void) => {
  let cancel: (() => void) | undefined;
  const isLost = (): boolean => socket.state === 'lost';
  const look = async (): Promise<void> => {
    cancel = undefined;
    const answered =
      !isHidden() &&
      (await ask().then(
        () => true,
        () => false,
      ));
    if (!isLost()) return;
    if (answered) onAnswer();
    wait();
  };
  const wait = (): void => {
    cancel ??= later(LOST_POLL_MS, () => void look());
  };
  const stop = (): void => {
    cancel?.();
    cancel = undefined;
  };
  const leave = socket.onState(() => (isLost() ? wait() : stop()));
  return () => {
    leave();
    stop();
  };
};
