/** What the server says, in English and in another language, by the same keys. */
export interface Sentences {
  readonly english: Readonly<Record<string, string>>;
  readonly translated: Readonly<Record<string, string>>;
}

interface Pattern {
  readonly form: RegExp;
  readonly names: readonly string[];
  readonly translation: string;
  /** Letters that stand fixed: of two patterns that fit, the one that says more is meant. */
  readonly weight: number;
}

/** What may itself be a sentence of the server; whatever else stands in a sentence is somebody's own name for something. */
const SENTENCES_WITHIN = new Set(['why', 'role', 'field']);

const VALUE = /\{\{(\w+)\}\}/g;
const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/** `{{name}}` stands for anything, and `(s)` for an s that is there or not. */
const formOf = (english: string): RegExp => {
  const parts = english.split(VALUE).map((part, at) => (at % 2 === 1 ? '(.+?)' : escaped(part)));
  return new RegExp(`^${parts.join('').replaceAll(String.raw`\(s\)`, 's?')}$`, 's');
};

/** Makes of a sentence that the server said the one that a person reads; of one that is not known, the same. */
export const sentenceReader = ({ english, translated }: Sentences): ((said: string) => string) => {
  const whole = new Map<string, string>();
  const patterns: Pattern[] = [];
  for (const [key, text] of Object.entries(english)) {
    const translation = translated[key] ?? text;
    const names = [...text.matchAll(VALUE)].map(([, name = '']) => name);
    if (names.length === 0) whole.set(text, translation);
    else patterns.push({ form: formOf(text), names, translation, weight: text.replaceAll(VALUE, '').length });
  }
  patterns.sort((a, b) => b.weight - a.weight);
  const read = (said: string): string => {
    const known = whole.get(said);
    if (known !== undefined) return known;
    for (const { form, names, translation } of patterns) {
      const found = form.exec(said);
      if (!found) continue;
      const values = new Map(names.map((name, at) => [name, found[at + 1] ?? '']));
      return translation.replaceAll(VALUE, (_, name: string) => {
        const value = values.get(name) ?? '';
        return SENTENCES_WITHIN.has(name) ? read(value) : value;
      });
    }
    return said;
  };
  return read;
};
