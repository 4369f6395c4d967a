import { secretForms } from './secret-forms.ts';

export const MASK = '****';

/** Part of a text that is masked: from the first index to before the second. */
export type Span = readonly [start: number, end: number];

const TABLE = 1 << 16;
const pair = (a: number, b: number) => (a * 31 + b) & (TABLE - 1);

/**
 * Finds all secrets of a run in one pass, however many there are: a window as long as the shortest form moves over the
 * text, and its last two characters tell how far it may jump (Wu and Manber's algorithm). Overlapping finds count as one.
 */
export class Masker {
  readonly #forms: string[];
  readonly #window: number;
  readonly #jumps: Uint8Array;
  readonly #buckets = new Map<number, string[]>();
  readonly #multiline: string[];
  readonly longest: number;

  constructor(secrets: readonly string[]) {
    this.#forms = secretForms(secrets).sort((a, b) => b.length - a.length);
    this.longest = this.#forms[0]?.length ?? 0;
    this.#window = Math.min(this.#forms.at(-1)?.length ?? 2, 255);
    this.#jumps = new Uint8Array(TABLE).fill(this.#window - 1);
    this.#multiline = this.#forms.filter((form) => form.includes('\n'));
    for (const form of this.#forms) {
      for (let at = 1; at < this.#window; at += 1) {
        const key = pair(form.charCodeAt(at - 1), form.charCodeAt(at));
        this.#jumps[key] = Math.min(this.#jumps[key] ?? 0, this.#window - 1 - at);
      }
      const last = pair(form.charCodeAt(this.#window - 2), form.charCodeAt(this.#window - 1));
      const bucket = this.#buckets.get(last);
      if (bucket) bucket.push(form);
      else this.#buckets.set(last, [form]);
    }
  }

  get isEmpty() {
    return this.#forms.length === 0;
  }

  /** All secrets in a text, from left to right; those that overlap are one span. */
  spans(text: string): Span[] {
    const found: [number, number][] = [];
    if (this.isEmpty) return found;
    let at = this.#window - 1;
    while (at < text.length) {
      const key = pair(text.charCodeAt(at - 1), text.charCodeAt(at));
      const jump = this.#jumps[key] ?? 1;
      if (jump > 0) {
        at += jump;
        continue;
      }
      const start = at - this.#window + 1;
      const form = this.#buckets.get(key)?.find((candidate) => text.startsWith(candidate, start));
      if (form !== undefined) {
        const last = found.at(-1);
        if (last && start < last[1]) last[1] = Math.max(last[1], start + form.length);
        else found.push([start, start + form.length]);
      }
      at += 1;
    }
    return found;
  }

  mask(text: string): string {
    return maskSpans(text, this.spans(text), 0, text.length);
  }

  /**
   * Index from which the text may yet turn out to be the beginning of a secret; its length when there is none. After a
   * line end only secrets of several lines can go on (`lineEnd`), elsewhere any.
   */
  openFrom(text: string, lineEnd: boolean): number {
    let open = text.length;
    const last = text.charCodeAt(text.length - 1);
    for (const form of lineEnd ? this.#multiline : this.#forms) {
      for (let length = Math.min(form.length - 1, text.length); length > text.length - open; length -= 1) {
        if (form.charCodeAt(length - 1) === last && text.endsWith(form.slice(0, length))) open = text.length - length;
      }
    }
    return open;
  }
}

/** The part of a text from `from` to before `to`, masked. No span may reach over these borders. */
export const maskSpans = (text: string, spans: readonly Span[], from: number, to: number): string => {
  let masked = '';
  let at = from;
  for (const [start, end] of spans) {
    if (end <= from) continue;
    if (start >= to) break;
    masked += text.slice(at, start) + MASK;
    at = end;
  }
  return at === from && masked === '' ? text.slice(from, to) : masked + text.slice(at, to);
};
