interface Slots {
  used: number;
  readonly waiting: (() => void)[];
}

/** Lets a fixed number of calls with the same key run at a time; the others wait in the order that they came. */
export class KeyedSlots {
  readonly #most: number;
  readonly #byKey = new Map<string, Slots>();

  constructor(most: number) {
    this.#most = most;
  }

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const slots = this.#byKey.get(key) ?? { used: 0, waiting: [] };
    this.#byKey.set(key, slots);
    // The call that ends passes its slot on, so that no newcomer can take it.
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
