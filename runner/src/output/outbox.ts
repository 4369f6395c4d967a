/** A batch that was sent and is not known to be stored. */
interface Sent<T> {
  first: number;
  items: T[];
  bytes: number;
}

/** Numbered items on their way to the server: kept until they are stored, so that they can be sent again. */
export class Outbox<T> {
  #sent: Sent<T>[] = [];
  #bytes = 0;
  #next = 1;

  /** Bytes that are not known to be stored. */
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

  /** Continues the numbering at `next`: all items before are stored. Only for an empty outbox. */
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
        // Only a part is stored: the bytes count until the rest is stored too.
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
