/** A batch that was sent, and whose storing the server has not confirmed. */
interface Sent<T> {
  first: number;
  items: T[];
  bytes: number;
}

/**
 * Numbered items that are being sent to the server. They are kept until the server has stored them, to be sent again on
 * a new link.
 */
export class Outbox<T> {
  #sent: Sent<T>[] = [];
  #bytes = 0;
  #next = 1;

  /** Bytes whose storing the server has not confirmed. */
  get bytes() {
    return this.#bytes;
  }

  /** Number that the next new item gets. */
  get next() {
    return this.#next;
  }

  get isEmpty() {
    return this.#sent.length === 0;
  }

  /** Number of the oldest item that is kept. */
  get oldest() {
    return this.#sent[0]?.first ?? this.#next;
  }

  /** Sets the number of the next item; all items before it are stored. Only for an empty outbox. */
  startAt(next: number): void {
    this.#next = next;
  }

  put(items: T[], bytes: number): { first: number; items: T[] } {
    const batch = { first: this.#next, items, bytes };
    this.#sent.push(batch);
    this.#bytes += bytes;
    this.#next += items.length;
    return batch;
  }

  /** Removes the items before number `next`, which are stored. */
  stored(next: number): void {
    for (let head = this.#sent[0]; head && head.first < next; head = this.#sent[0]) {
      if (head.first + head.items.length > next) {
        // Only a part of the batch is stored. Its bytes count until the whole batch is stored.
        head.items = head.items.slice(next - head.first);
        head.first = next;
        return;
      }
      this.#sent.shift();
      this.#bytes -= head.bytes;
    }
  }

  batches(): readonly { first: number; items: T[] }[] {
    return this.#sent;
  }
}
