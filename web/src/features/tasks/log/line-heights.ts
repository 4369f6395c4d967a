/**
 * Additional heights of wrapped lines, in pixels. Only drawn lines are measured; all others count as one row. Each
 * operation takes logarithmic time in the number of lines, so that long logs stay fast.
 */
export class LineHeights {
  #tree = new Float64Array(1024);
  readonly #extra = new Map<number, number>();

  /** The additional height of a line. */
  of(line: number): number {
    return this.#extra.get(line) ?? 0;
  }

  /** The sum of the additional heights of all lines before a line. */
  before(line: number): number {
    let sum = 0;
    for (let at = Math.min(line - 1, this.#tree.length - 1); at > 0; at -= at & -at) sum += this.#tree[at] ?? 0;
    return sum;
  }

  /** Stores a measured height. Returns true if it is new. */
  set(line: number, extra: number): boolean {
    const change = extra - this.of(line);
    if (change === 0) return false;
    if (extra === 0) this.#extra.delete(line);
    else this.#extra.set(line, extra);
    if (line < this.#tree.length) this.#add(line, change);
    else this.#grow(line);
    return true;
  }

  #add(line: number, change: number): void {
    const tree = this.#tree;
    for (let at = line; at < tree.length; at += at & -at) tree[at] = (tree[at] ?? 0) + change;
  }

  #grow(line: number): void {
    let length = this.#tree.length;
    while (length <= line) length *= 2;
    this.#tree = new Float64Array(length);
    for (const [known, extra] of this.#extra) this.#add(known, extra);
  }
}
