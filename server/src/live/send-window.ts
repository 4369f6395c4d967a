/** Bytes between two markers. */
export const MARKER_EVERY = 32 * 1024;

/**
 * Measures how much of the sent data a client has not read. Kernels and proxies buffer megabytes, which the socket
 * cannot see. Markers are pings, which every WebSocket client answers in order (RFC 6455, section 5.5.3).
 */
export class SendWindow {
  readonly #marker: (marker: string) => void;
  #sent = 0;
  #hasMarker = 0;
  #answered = 0;

  /** @param marker sends a ping with this text, behind what was sent so far */
  constructor(marker: (marker: string) => void) {
    this.#marker = marker;
  }

  /** Bytes that were sent but not acknowledged, rounded down to the last marker. */
  get underWay(): number {
    return this.#sent - this.#answered;
  }

  sent(bytes: number): void {
    this.#sent += bytes;
    if (this.#sent - this.#hasMarker >= MARKER_EVERY) this.marker();
  }

  /** Sends a marker after everything sent so far. A client may answer only the last of several pings. */
  marker(): void {
    this.#hasMarker = this.#sent;
    this.#marker(String(this.#hasMarker));
  }

  /** Handles an answer to a ping. Ignores unknown texts. */
  answered(marker: string): void {
    const bytes = Number(marker);
    if (bytes > this.#answered && bytes <= this.#hasMarker) this.#answered = bytes;
  }
}
