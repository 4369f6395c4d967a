/** Part of a text that is masked: from index `start` to before index `end`. */
export type Span = readonly [start: number, end: number];

/** A control sequence, also an incomplete one, or a control character that terminals do not show. */
const ESCAPES =
  /\x1b(?:\[[0-?]*[ -/]*[@-~]?|[\]P_^X][^\x07\x1b\n]*(?:\x07|\x1b\\)?|[ -/]*[0-~]?)|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/;

/** A character with which a match of `ESCAPES` can begin. */
const CONTROL_CHARACTER = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/;

/**
 * A control sequence that is spelled out in the notation of JSON, Python or shells: `\u001b[31m`, `\x1b]8;;…`,
 * `\033[0m`.
 */
const WRITTEN_ESCAPES =
  /\\{1,8}(?:u001[bB]|x1[bB]|033|e)(?:\[[0-?]{0,64}[ -/]{0,8}[@-~]|\]8;[^\\\n]{0,512}\\{1,8}(?:u0007|x07|007|a|(?:u001[bB]|x1[bB]|033|e)\\{1,8}))/;

const ANY_ESCAPE = new RegExp(`${ESCAPES.source}|${WRITTEN_ESCAPES.source}`, 'g');

/** A text without control sequences, and the positions of its characters in the raw text. */
export interface VisibleText {
  readonly text: string;
  /** Index in the raw text of a visible character; for an index after the last one, the length of the raw text. */
  toRaw(index: number): number;
}

/**
 * Removes control sequences, also spelled-out ones, so that a secret with colours between its characters is found.
 * @returns undefined if there is nothing to remove
 */
export const visibleText = (raw: string): VisibleText | undefined => {
  if (!CONTROL_CHARACTER.test(raw) && !(raw.includes('\\') && WRITTEN_ESCAPES.test(raw))) return undefined;
  /** Where each remaining part begins: index in the visible text, and in the raw text. */
  const parts: [visible: number, raw: number][] = [];
  let [text, at] = ['', 0];
  for (const match of raw.matchAll(ANY_ESCAPE)) {
    if (match.index > at) {
      parts.push([text.length, at]);
      text += raw.slice(at, match.index);
    }
    at = match.index + match[0].length;
  }
  if (at < raw.length) parts.push([text.length, at]);
  text += raw.slice(at);
  const toRaw = (index: number): number => {
    if (index >= text.length) return raw.length;
    let [low, high] = [0, parts.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((parts[middle]?.[0] ?? 0) <= index) low = middle;
      else high = middle - 1;
    }
    const [visible, start] = parts[low] ?? [0, 0];
    return start + index - visible;
  };
  return { text, toRaw };
};

/**
 * Converts spans of the visible text to spans of the raw text. Control sequences before and after a span are not part of
 * it.
 */
export const rawSpans = ({ toRaw }: VisibleText, spans: readonly Span[]): Span[] =>
  spans.map(([start, end]) => [toRaw(start), toRaw(end - 1) + 1]);
