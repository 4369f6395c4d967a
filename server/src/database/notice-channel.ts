/** Called with what happens on a channel. */
export interface NoticeListener {
  readonly onNotice: (text: string) => void;
  /** The channel is open. Notices that were sent before it was open did not arrive. */
  readonly onOpen: () => void;
  readonly onLost: (error: unknown) => void;
}

/**
 * Carries short texts between the servers of one database. The sender gets its own notices too. It reconnects until it
 * is closed.
 */
export interface NoticeChannel {
  /** @throws when the channel is not open, or the text could not be sent */
  send(text: string): Promise<void>;
  /** Opens a new connection, because the current one seems to be dead. */
  reconnect(): void;
  close(): Promise<void>;
}

export type OpenNotices = (listener: NoticeListener) => NoticeChannel;
