/**
 * Holds messages back while the rights of their receivers are read. A message waits for a read that began after the latest change
 * of rights. Reads are numbered, because they can end in another order than they began.
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

  /** The number of the read that messages need from now on. */
  get needed(): number {
    return this.#needed;
  }

  /** Called when there are no receivers any more. */
  clear(): void {
    this.#held.length = 0;
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
