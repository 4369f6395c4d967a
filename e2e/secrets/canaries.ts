import { randomBytes } from 'node:crypto';

/** Characters that encodings write in another way surround the part that is searched. */
const DRESS = (core: string): string => `k"é/ &${core}+%=`;

/** What base64 makes of some bytes wherever they stand: without the characters that hold bits of their neighbours. */
const base64Forms = (bytes: Buffer): string[] =>
  [0, 1, 2].flatMap((shift) => {
    const text = Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64');
    const inner = text.slice(Math.ceil((shift * 8) / 6), Math.floor(((bytes.length + shift) * 8) / 6));
    return [inner, inner.replaceAll('+', '-').replaceAll('/', '_')];
  });

/** Secrets that stand nowhere else, each with every text that gives it away. */
export class Canaries {
  readonly #needles = new Map<string, string>();

  /** A new secret; its core is of letters and digits, so that URLs, JSON and quotes leave it as it is. */
  plant(name: string): string {
    const core = randomBytes(18).toString('hex');
    this.watch(name, core);
    return DRESS(core);
  }

  /** Searches a secret that was generated elsewhere: its bytes, and their base64 and hex forms. */
  watch(name: string, secret: string | Buffer): void {
    const bytes = Buffer.from(secret);
    for (const form of [bytes.toString('latin1'), ...base64Forms(bytes), bytes.toString('hex')])
      this.#needles.set(form, name);
  }

  /** The names of those that are in some bytes. */
  find(content: string | Buffer): string[] {
    const text = typeof content === 'string' ? content : content.toString('latin1');
    const found = new Set<string>();
    for (const [needle, name] of this.#needles) if (text.includes(needle)) found.add(name);
    return [...found].toSorted();
  }
}
