/** How much is sent between two marks, in bytes. */
export const MARK_EVERY = 32 * 1024;

/**
 * Knows how much of what was sent a listener has not read yet, whoever holds it: the kernels and proxies between us and a
 * slow line hold megabytes, of which the socket here tells nothing. Marks among the messages are pings, which every
 * WebSocket client answers when it comes to them (RFC 6455, section 5.5.3).
 */
export class SendWindow {
  readonly #mark: (mark: string) => void;
  #sent = 0;
  #marked = 0;
  #answered = 0;

  /** @param mark sends a ping with this text, behind what was sent so far */
  constructor(mark: (mark: string) => void) {
    this.#mark = mark;
  }

  /** Bytes that were sent and are not known to be read, but for less than what lies between two marks. */
  get underWay(): number {
    return this.#sent - this.#answered;
  }

  sent(bytes: number): void {
    this.#sent += bytes;
    if (this.#sent - this.#marked >= MARK_EVERY) this.mark();
  }

  /** Marks all that was sent so far. Of several pings a client may answer the last one alone, so each is a mark. */
  mark(): void {
    this.#marked = this.#sent;
    this.#mark(String(this.#marked));
  }

  /** An answer to a ping has come. What is no mark of ours changes nothing. */
  answered(mark: string): void {
    const bytes = Number(mark);
    if (bytes > this.#answered && bytes <= this.#marked) this.#answered = bytes;
  }
}
