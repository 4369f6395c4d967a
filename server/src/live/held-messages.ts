/**
 * Holds messages back while the rights of their receivers are read. Reads are numbered, and can end in another order than they
 * began: a message needs one that began after the last change of rights before the message.
 */
export class HeldMessages {
  #started = 0;
  #finished = 0;
  #needed = 0;
  readonly #held: { readonly read: number; readonly send: () => void }[] = [];

  /** Called when rights have changed: the messages from now on need a read that has not begun yet. */
  rightsChanged(): void {
    this.#needed = this.#started + 1;
  }

  /** Called when a read begins. @returns its number */
  readStarts(): number {
    this.#started += 1;
    return this.#started;
  }

  /** Applies a read that was successful, and sends what needed it. Nothing if a later read has ended before. */
  readEnds(read: number, apply: () => void): void {
    if (read < this.#finished) return;
    this.#finished = read;
    apply();
    while (this.#held[0] !== undefined && this.#held[0].read <= read) this.#held.shift()?.send();
  }

  /** Sends a message as soon as the rights of its receivers are known, in the order of the calls. */
  send(send: () => void): void {
    if (this.#needed <= this.#finished) send();
    else this.#held.push({ read: this.#needed, send });
  }
}
