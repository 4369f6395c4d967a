import type { LogMatches } from '@signalbox/contract';
import { WorkSlice } from '../work-slice.ts';
import { readHead } from './log-blocks.ts';
import { blocksFrom } from './log-pages.ts';
import type { BlockSource } from './objects/block-source.ts';
import { COLOUR_CODE, plainText } from './plain-text.ts';

/** What one search reads and finds at most. It ends with the block in which it reaches a limit. */
export interface SearchLimits {
  readonly lines: number;
  readonly matches: number;
}

export interface Search {
  readonly text: string;
  /** Number of the first line that is searched. */
  readonly from: number;
}

const ESC = '\u001b';
/** Colour codes may be in the middle of a displayed text. */
const COLOURS = `(?:${COLOUR_CODE})*`;

/** How a text is searched for in any case. */
interface Matcher {
  /** Finds at least one position in each line that matches, and in others that do not. */
  readonly candidates: RegExp;
  /** Whether a displayed line matches. */
  readonly exact: RegExp;
}

/** A text with ESC would match a row of colour codes in more ways than can be tried. */
const candidatesOf = (text: string): string =>
  text.includes(ESC) ? ESC : Array.from(text, (letter) => RegExp.escape(letter)).join(COLOURS);

const matcherOf = (text: string): Matcher => ({
  candidates: new RegExp(candidatesOf(text), 'giu'),
  exact: new RegExp(RegExp.escape(text), 'iu'),
});

/**
 * Finds the lines of a block that contain a text. Searches the block as one string first, because most blocks contain no
 * match: splitting each into lines, or removing its colours, takes ten times as long.
 * @param range indexes of the first line that is searched, and of the one after the last
 * @returns indexes of lines, counted from 0
 */
const matchingLines = (
  block: string,
  { candidates, exact }: Matcher,
  [first, end]: readonly [number, number],
): number[] => {
  const found: number[] = [];
  let line = 0;
  let start = 0;
  candidates.lastIndex = 0;
  for (let match = candidates.exec(block); match; match = candidates.exec(block)) {
    let lineEnd = block.indexOf('\n', start);
    while (lineEnd >= 0 && lineEnd < match.index) {
      line += 1;
      start = lineEnd + 1;
      lineEnd = block.indexOf('\n', start);
    }
    if (line >= end || lineEnd < 0) break;
    const text = block.slice(block.indexOf('\t', start) + 1, lineEnd);
    if (line >= first && exact.test(plainText(text))) found.push(line);
    candidates.lastIndex = lineEnd;
  }
  return found;
};

/** Finds the lines of a log that contain a text as it is displayed, in any case, from a line on. */
export const findMatches = async (
  source: BlockSource,
  taskId: number,
  { text, from }: Search,
  limits: SearchLimits,
): Promise<LogMatches> => {
  const total = (await readHead(source.db, taskId)).next_line - 1;
  const end = Math.min(total + 1, from + limits.lines);
  // A line contains no line break, so a text with one is in no line.
  if (text === '' || text.includes('\n')) return { lines: [], next: Math.max(from, total + 1), total };
  const matcher = matcherOf(text);
  const lines: number[] = [];
  const slice = new WorkSlice();
  for await (const { first, count, bytes } of blocksFrom(source, taskId, 'output', [from, end])) {
    const block = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
    const found = matchingLines(block, matcher, [Math.max(0, from - first), end - first]);
    for (const line of found) lines.push(first + line);
    const next = first + count;
    if (lines.length >= limits.matches && next < end) return { lines, next, total };
    if (slice.isOver) await slice.next();
  }
  return { lines, next: Math.max(from, end), total };
};
