import { createHash } from 'node:crypto';
import type { LogDifference } from '@signalbox/contract';
import type { WorkSlice } from '../../work-slice.ts';
import { plainText } from '../plain-text.ts';
import { lineForm } from './line-form.ts';

/** Maximum number of differing kinds of lines of one part in an answer. */
const MAX_DIFFERENT = 40;
const MAX_TEXT = 1_000;
/** Kinds of lines of both runs that are shown before and after a difference. */
const CONTEXT = 1;

/** The lines of a part of one run that have the same form. */
export interface LineKind {
  readonly text: string;
  readonly line: number;
  count: number;
}

/** The kinds of lines of a part of one run by the digest of their form, in the order of their first lines. */
export type LineKinds = Map<string, LineKind>;

/** Forms can be long and many, so only their digests are held. */
const digestOf = (form: string): string => createHash('sha1').update(form).digest('base64');

/** A copy of the beginning of a line, so that the whole line is not held. */
const shortened = (line: string): string => Buffer.from(plainText(line).slice(0, MAX_TEXT).toWellFormed()).toString();

/** How lines are compared: hosts whose names do not count, and the time until other work of the thread goes first. */
export interface LineComparison {
  readonly hosts: ReadonlySet<string>;
  readonly slice: WorkSlice;
}

/** Adds lines to their kinds. */
export const addLines = async (
  kinds: LineKinds,
  lines: readonly string[],
  first: number,
  { hosts, slice }: LineComparison,
): Promise<void> => {
  for (const [at, text] of lines.entries()) {
    if (slice.isOver) await slice.next();
    const form = lineForm(text, hosts);
    if (form === '') continue;
    const key = digestOf(form);
    const known = kinds.get(key);
    if (known) known.count += 1;
    else kinds.set(key, { text: shortened(text), line: first + at, count: 1 });
  }
};

type Entry = Omit<LogDifference, 'skipped'>;

/** All kinds of lines in one order: that of the later run, with those of the earlier one where they were. */
const merged = (earlier: LineKinds, later: LineKinds): Entry[] => {
  const entry = (of: Entry['of'], { text, line, count }: LineKind): Entry => ({ of, text, line, count });
  const before = [...earlier];
  const positions = new Map(before.map(([form], at) => [form, at]));
  const all: Entry[] = [];
  let next = 0;
  const upTo = (end: number): void => {
    for (; next < end; next += 1) {
      const [form, kind] = before[next] as (typeof before)[number];
      if (!later.has(form)) all.push(entry('earlier', kind));
    }
  };
  for (const [form, kind] of later) {
    upTo(positions.get(form) ?? 0);
    all.push(entry(earlier.has(form) ? 'both' : 'later', kind));
  }
  upTo(before.length);
  return all;
};

/** Of lines next to each other that differ, those of the earlier run come first. */
const removedFirst = (all: readonly Entry[]): Entry[] => {
  const ordered: Entry[] = [];
  let added: Entry[] = [];
  for (const entry of all) {
    if (entry.of === 'later') {
      added.push(entry);
      continue;
    }
    if (entry.of === 'both') {
      ordered.push(...added);
      added = [];
    }
    ordered.push(entry);
  }
  return [...ordered, ...added];
};

/** The kinds of lines that only one of two runs has, with some of those of both around them. */
export const lineDifferences = (earlier: LineKinds, later: LineKinds): { lines: LogDifference[]; more: number } => {
  const all = removedFirst(merged(earlier, later));
  const different = all.flatMap(({ of }, at) => (of === 'both' ? [] : [at]));
  const shown = new Set<number>();
  for (const at of different.slice(0, MAX_DIFFERENT))
    for (let near = at - CONTEXT; near <= at + CONTEXT; near += 1)
      if (near >= 0 && near < all.length && (all[near]?.of === 'both' || near === at)) shown.add(near);
  let last = -1;
  const lines = [...shown]
    .sort((a, b) => a - b)
    .map((at): LogDifference => {
      const entry = all[at] as Entry;
      const skipped = all.slice(last + 1, at).filter(({ of }) => of === 'both').length;
      last = at;
      return { ...entry, skipped };
    });
  return { lines, more: Math.max(0, different.length - MAX_DIFFERENT) };
};
