import type { LiveSocket } from './live-socket.ts';

/** Time between two requests while there is no live connection, in milliseconds. */
export const LOST_POLL_MS = 10_000;

export interface LostPollOptions {
  readonly later: (milliseconds: number, run: () => void) => () => void;
  /** Whether the page is hidden; nothing is requested then. */
  readonly isHidden: () => boolean;
  /** A cheap request that fails while the server is unreachable. */
  readonly ask: () => Promise<unknown>;
  /** Called when the server responds although the live connection is lost: loaded data has to be fetched again. */
  readonly onAnswer: () => void;
}

/**
 * Polls the server while the live connection is lost, because some proxies block WebSockets.
 * @returns a function that stops polling
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
