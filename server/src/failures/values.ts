import type { FailureGroup, FailureMessage } from '@signalbox/contract';
import type { Form } from './form.ts';

/** Hosts whose values are kept, and different values of one part of a message. Further ones are counted. */
const MAX_ROWS = 20_000;
const MAX_DISTINCT = 1000;
/** Values that are shown of one part, and the most groups. */
const SHOWN = 3;
const MAX_GROUPS = 10;
/** Parts that differ whose values are shown, and characters of a value. */
const MAX_PARTS = 6;
const MAX_SHOWN = 120;

interface Row {
  readonly host: string;
  readonly values: readonly number[];
}

const byCount = (counts: ReadonlyMap<number, number>): number[] =>
  [...counts].sort(([, a], [, b]) => b - a).map(([id]) => id);

const countOf = (rows: readonly Row[], part: number): Map<number, number> => {
  const counts = new Map<number, number>();
  for (const { values } of rows) {
    const id = values[part] ?? 0;
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
};

/** The values of messages of one form, by host. */
export class FormValues {
  readonly form: Form;
  hosts = 0;
  readonly #rows: Row[] = [];
  /** The values of each part by number; numbers of equal values are equal, and 0 is any further value. */
  readonly #texts: string[][];
  readonly #numbers: Map<string, number>[];

  constructor(form: Form) {
    this.form = form;
    this.#texts = form.values.map(() => ['…']);
    this.#numbers = form.values.map(() => new Map<string, number>());
  }

  /** Approximate size in bytes. */
  get bytes(): number {
    const values = this.#texts.reduce((sum, texts) => sum + texts.length * 200, 0);
    return values + this.#rows.length * (100 + 8 * this.form.values.length);
  }

  add(host: string, values: readonly string[]): void {
    this.hosts += 1;
    if (this.#rows.length >= MAX_ROWS) return;
    this.#rows.push({ host, values: values.map((value, part) => this.#numberOf(part, value)) });
  }

  /** The message of the first host, with the parts that differ. */
  get message(): FailureMessage {
    const segments = this.form.fixed.flatMap((text, at) => {
      const value = this.form.values[at];
      const fixed = { text, differs: false };
      return value === undefined ? [fixed] : [fixed, { text: value, differs: this.#differs(at) }];
    });
    return { hosts: this.hosts, segments: segments.filter(({ text }) => text !== '') };
  }

  /** The hosts by the values of the part that differs least, most hosts first. */
  get groups(): FailureGroup[] {
    const parts = this.form.values.flatMap((_, part) => (this.#differs(part) ? [part] : [])).slice(0, MAX_PARTS);
    const distinct = (part: number): number => (this.#texts[part] ?? []).length;
    const least = parts.toSorted((a, b) => distinct(a) - distinct(b) || a - b)[0];
    if (least === undefined) return [];
    const groups = Map.groupBy(this.#rows, ({ values }) => values[least] ?? 0);
    return [...groups.values()]
      .sort((a, b) => b.length - a.length)
      .slice(0, MAX_GROUPS)
      .map((rows) => ({
        hosts: rows.length,
        first_host: rows[0]?.host ?? '',
        values: parts.map((part) => this.#shown(rows, part)),
      }));
  }

  #shown(rows: readonly Row[], part: number): FailureGroup['values'][number] {
    const numbers = byCount(countOf(rows, part));
    const values = numbers.slice(0, SHOWN).map((number) => (this.#texts[part]?.[number] ?? '').slice(0, MAX_SHOWN));
    return { values, more: numbers.length - values.length };
  }

  /** The first text of each part is that of further values. */
  #differs(part: number): boolean {
    return (this.#texts[part] ?? []).length > 2;
  }

  #numberOf(part: number, value: string): number {
    const numbers = this.#numbers[part];
    const texts = this.#texts[part];
    if (!numbers || !texts) return 0;
    const known = numbers.get(value);
    if (known !== undefined) return known;
    if (texts.length > MAX_DISTINCT) return 0;
    numbers.set(value, texts.length);
    return texts.push(value) - 1;
  }
}
