interface Slots {
  used: number;
  readonly waiting: (() => void)[];
}

/** Runs up to a fixed number of calls with the same key at a time; the others wait in the order of their arrival. */
export class KeyedSlots {
  readonly #most: number;
  readonly #byKey = new Map<string, Slots>();

  constructor(most: number) {
    this.#most = most;
  }

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const slots = this.#byKey.get(key) ?? { used: 0, waiting: [] };
    this.#byKey.set(key, slots);
    // A call that ends passes its slot to the next one in the queue, so that a newcomer can't take it.
    if (slots.used < this.#most) slots.used += 1;
    else await new Promise<void>((resolve) => slots.waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = slots.waiting.shift();
      if (next) next();
      else slots.used -= 1;
      if (slots.used === 0) this.#byKey.delete(key);
    }
  }
}
