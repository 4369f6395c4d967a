import type { LiveSocket } from './live-socket.ts';

/** Time between two requests while there is no live connection, in milliseconds. */
export const POLL_MS = 10_000;

export interface PollOptions {
  readonly later: (milliseconds: number, run: () => void) => () => void;
  /** Whether the page is hidden; nothing is requested then. */
  readonly isHidden: () => boolean;
  /** A cheap request that fails while the server is unreachable. */
  readonly request: () => Promise<unknown>;
  /** Called when the server responds although the live connection is lost: loaded data has to be fetched again. */
  readonly onAnswer: () => void;
}

/**
 * Polls the server while the live connection is lost, because some proxies block WebSockets.
 * @returns a function that stops polling
 */
export const pollWhileLost = (
  socket: LiveSocket,
  { later, isHidden, request, onAnswer }: PollOptions,
): (() => void) => {
  let cancel: (() => void) | undefined;
  const isLost = (): boolean => socket.state === 'lost';
  const poll = async (): Promise<void> => {
    cancel = undefined;
    const answered =
      !isHidden() &&
      (await request().then(
        () => true,
        () => false,
      ));
    if (!isLost()) return;
    if (answered) onAnswer();
    wait();
  };
  const wait = (): void => {
    cancel ??= later(POLL_MS, () => void poll());
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
