import { randomBytes } from 'node:crypto';

/** The searched part is surrounded by characters that encodings change. */
const DRESS = (core: string): string => `k"é/ &${core}+%=`;

/** The base64 forms of some bytes at any offset, without the characters that also encode neighbouring bytes. */
const base64Forms = (bytes: Buffer): string[] =>
  [0, 1, 2].flatMap((shift) => {
    const text = Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64');
    const inner = text.slice(Math.ceil((shift * 8) / 6), Math.floor(((bytes.length + shift) * 8) / 6));
    return [inner, inner.replaceAll('+', '-').replaceAll('/', '_')];
  });

/** Generated secrets, each with all texts that reveal it. */
export class Canaries {
  readonly #needles = new Map<string, string>();

  /** Generates a secret. Its core contains only letters and digits, which URLs, JSON and quotes do not change. */
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

  /** The names of the canaries that some bytes contain. */
  find(content: string | Buffer): string[] {
    const text = typeof content === 'string' ? content : content.toString('latin1');
    const found = new Set<string>();
    for (const [needle, name] of this.#needles) if (text.includes(needle)) found.add(name);
    return [...found].toSorted();
  }
}
