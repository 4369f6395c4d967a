import type { LogMatches } from '@signalbox/contract';
import { WorkSlice } from '../work-slice.ts';
import { readHead } from './log-blocks.ts';
import { blocksFrom } from './log-pages.ts';
import type { BlockSource } from './objects/block-source.ts';
import { plainText } from './plain-text.ts';

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

/** Matches a literal text in any case, also several times in one string. */
const matcherOf = (text: string): RegExp => new RegExp(RegExp.escape(text), 'giu');

/** Index of the line in a block at which a search begins, and up to which it goes. */
type Lines = readonly [first: number, end: number];

/**
 * Finds the lines of a block that contain a text. Searches the block as one string, because most blocks contain no match:
 * splitting each into lines takes ten times as long.
 * @returns indexes of lines, counted from 0
 */
export const matchingLines = (block: string, matcher: RegExp, [first, end]: Lines): number[] => {
  const found: number[] = [];
  let line = 0;
  let lineStart = 0;
  matcher.lastIndex = 0;
  for (let match = matcher.exec(block); match; match = matcher.exec(block)) {
    for (
      let next = block.indexOf('\n', lineStart);
      next >= 0 && next < match.index;
      next = block.indexOf('\n', lineStart)
    ) {
      line += 1;
      lineStart = next + 1;
    }
    if (line >= end) break;
    const textStart = block.indexOf('\t', lineStart) + 1;
    // The time and the source before the text of a line do not count.
    if (match.index < textStart) {
      matcher.lastIndex = textStart;
      continue;
    }
    if (line >= first) found.push(line);
    const lineEnd = block.indexOf('\n', match.index);
    if (lineEnd < 0) break;
    matcher.lastIndex = lineEnd;
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
    const block = plainText(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'));
    const found = matchingLines(block, matcher, [Math.max(0, from - first), end - first]);
    for (const line of found) lines.push(first + line);
    const next = first + count;
    if (lines.length >= limits.matches && next < end) return { lines, next, total };
    if (slice.isOver) await slice.next();
  }
  return { lines, next: Math.max(from, end), total };
};
