import { secretForms } from './secret-forms.ts';
import { rawSpans, type Span, type VisibleText, visibleText } from './visible-text.ts';

export const MASK = '****';

/** Number of entries of the shift table. */
const TABLE_SIZE = 1 << 16;
/** The index in the shift table for two adjacent characters. */
const hashOf = (a: number, b: number) => (a * 31 + b) & (TABLE_SIZE - 1);

/**
 * Finds all forms of all secrets of a run in one pass, with the algorithm of Wu and Manber: a window as long as the shortest
 * form moves over the text, and the last two characters in the window determine by how much it moves. Overlapping matches
 * are joined.
 */
export class Masker {
  readonly #forms: string[];
  readonly #window: number;
  readonly #shifts: Uint8Array;
  readonly #buckets = new Map<number, string[]>();
  readonly #multiline: string[];
  /** Length of the longest form, in characters. */
  readonly longest: number;
  #latest: { readonly raw: string; readonly visible: VisibleText | undefined } = { raw: '', visible: undefined };

  constructor(secrets: readonly string[]) {
    const visible = secrets.map((secret) => visibleText(secret)?.text ?? secret);
    this.#forms = secretForms([...new Set([...secrets, ...visible])]).sort((a, b) => b.length - a.length);
    this.longest = this.#forms[0]?.length ?? 0;
    this.#window = Math.min(this.#forms.at(-1)?.length ?? 2, 255);
    this.#shifts = new Uint8Array(TABLE_SIZE).fill(this.#window - 1);
    this.#multiline = this.#forms.filter((form) => form.includes('\n'));
    for (const form of this.#forms) {
      for (let at = 1; at < this.#window; at += 1) {
        const key = hashOf(form.charCodeAt(at - 1), form.charCodeAt(at));
        this.#shifts[key] = Math.min(this.#shifts[key] ?? 0, this.#window - 1 - at);
      }
      const last = hashOf(form.charCodeAt(this.#window - 2), form.charCodeAt(this.#window - 1));
      const bucket = this.#buckets.get(last);
      if (bucket) bucket.push(form);
      else this.#buckets.set(last, [form]);
    }
  }

  get isEmpty() {
    return this.#forms.length === 0;
  }

  /**
   * The positions of all secrets in a text, from left to right, also if escape sequences are inside a secret.
   * Overlapping secrets are one span.
   */
  spans(text: string): Span[] {
    if (this.isEmpty) return [];
    const visible = this.#visible(text);
    if (!visible) return this.#find(text);
    // The raw text is searched too: a secret may be part of an escape sequence, such as the URL of a hyperlink, or its
    // last characters may be taken for the beginning of one.
    return joined([...rawSpans(visible, this.#find(visible.text)), ...this.#find(text)]);
  }

  /**
   * The last result is cached, because `spans` and `incompleteFrom` are called with the same text one after the other.
   */
  #visible(text: string): VisibleText | undefined {
    if (this.#latest.raw !== text) this.#latest = { raw: text, visible: visibleText(text) };
    return this.#latest.visible;
  }

  #find(text: string): [number, number][] {
    const found: [number, number][] = [];
    let at = this.#window - 1;
    while (at < text.length) {
      const key = hashOf(text.charCodeAt(at - 1), text.charCodeAt(at));
      const jump = this.#shifts[key] ?? 1;
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
   * Index at which a secret may begin that continues after the end of the text; the length of the text if there is none.
   * @param lineEnd whether a newline follows the text, so that only secrets of several lines can continue
   */
  incompleteFrom(text: string, lineEnd: boolean): number {
    const visible = this.isEmpty ? undefined : this.#visible(text);
    const open = this.#findIncomplete(text, lineEnd);
    return visible ? Math.min(open, visible.toRaw(this.#findIncomplete(visible.text, lineEnd))) : open;
  }

  #findIncomplete(text: string, lineEnd: boolean): number {
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

const COLOURS = /\x1b\[[0-9;:]*m/g;

/** The colour sequences of a masked part, which are kept so that the text after it has the right colours. */
const coloursOf = (text: string): string => (text.includes('\x1b') ? (text.match(COLOURS) ?? []).join('') : '');

/** Sorts spans from left to right and joins overlapping ones. */
const joined = (spans: readonly Span[]): Span[] => {
  const all: [number, number][] = [];
  for (const [start, end] of spans.toSorted((a, b) => a[0] - b[0])) {
    const last = all.at(-1);
    if (last && start < last[1]) last[1] = Math.max(last[1], end);
    else all.push([start, end]);
  }
  return all;
};

/** Masks the part of a text from index `from` to before index `to`. No span may cross these two limits. */
export const maskSpans = (text: string, spans: readonly Span[], from: number, to: number): string => {
  let masked = '';
  let at = from;
  for (const [start, end] of spans) {
    if (end <= from) continue;
    if (start >= to) break;
    masked += text.slice(at, start) + MASK + coloursOf(text.slice(Math.max(at, start), Math.min(end, to)));
    at = end;
  }
  return at === from && masked === '' ? text.slice(from, to) : masked + text.slice(at, to);
};
