import type { LogMatches } from '@signalbox/contract';
import { WorkSlice } from '../work-slice.ts';
import { readHead } from './log-blocks.ts';
import { blocksFrom } from './log-pages.ts';
import type { BlockSource } from './objects/block-source.ts';
import { COLOUR_CODE, plainText } from './plain-text.ts';

/** What one search reads and finds at most, and how long it takes. It ends with the block in which it reaches a limit. */
export interface SearchLimits {
  readonly lines: number;
  readonly matches: number;
  readonly ms: number;
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

/** Approximate number of characters that are searched before other work of the thread can go first. */
const CHUNK = 16 * 1024;

/** Divides a block into chunks of whole lines. */
function* chunksOf(block: string): Generator<string> {
  for (let start = 0; start < block.length; ) {
    const end = block.indexOf('\n', start + CHUNK) + 1 || block.length;
    yield block.slice(start, end);
    start = end;
  }
}

const countLines = (text: string): number => {
  let lines = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
};

/**
 * Finds the lines of a chunk that contain a text. Searches it as one string first, because most chunks contain no match:
 * splitting each into lines, or removing its colours, takes ten times as long.
 * @param range indexes of the first line that is searched, and of the one after the last
 * @returns indexes of lines, counted from 0
 */
const matchingLines = (
  chunk: string,
  { candidates, exact }: Matcher,
  [first, end]: readonly [number, number],
): number[] => {
  const found: number[] = [];
  let line = 0;
  let start = 0;
  candidates.lastIndex = 0;
  for (let match = candidates.exec(chunk); match; match = candidates.exec(chunk)) {
    let lineEnd = chunk.indexOf('\n', start);
    while (lineEnd >= 0 && lineEnd < match.index) {
      line += 1;
      start = lineEnd + 1;
      lineEnd = chunk.indexOf('\n', start);
    }
    if (line >= end || lineEnd < 0) break;
    const text = chunk.slice(chunk.indexOf('\t', start) + 1, lineEnd);
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
  const until = performance.now() + limits.ms;
  for await (const { first, count, bytes } of blocksFrom(source, taskId, 'output', [from, end])) {
    const block = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
    let line = first;
    for (const chunk of chunksOf(block)) {
      for (const index of matchingLines(chunk, matcher, [from - line, end - line])) lines.push(line + index);
      line += countLines(chunk);
      if (slice.isOver) await slice.next();
    }
    const next = first + count;
    const isEnough = lines.length >= limits.matches || performance.now() >= until;
    if (isEnough && next < end) return { lines, next, total };
  }
  return { lines, next: Math.max(from, end), total };
};
