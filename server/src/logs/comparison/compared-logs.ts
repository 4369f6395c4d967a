import type { LogComparison, LogPart } from '@signalbox/contract';
import { MAX_COMPARED_LINES } from '@signalbox/contract/limits';
import { WorkSlice } from '../../work-slice.ts';
import { alignSteps } from '../results/aligned-steps.ts';
import { namedSteps } from '../results/compared-runs.ts';
import type { ResultIndex } from '../results/result-index.ts';
import { addLines, type LineComparison, type LineKinds, lineDifferences } from './line-differences.ts';

/** A run whose log is compared. */
export interface ComparedLog {
  readonly index: ResultIndex;
  /** Number of its stored lines. */
  readonly total: number;
  /** Reads lines from a number on: fewer than `limit` if they are long, and none after the last one. */
  readonly read: (from: number, limit: number) => Promise<string[]>;
}

export type ComparedLogs = Pick<LogComparison, 'parts' | 'lines' | 'total' | 'next'>;

/** Lines of both runs together, and lines of an answer, after which a call ends. */
const ENOUGH_READ = 50_000;
const ENOUGH_SHOWN = 300;
/** Lines that are read at once. */
const PAGE = 2_000;
/** Number of hosts of a run whose names are replaced. */
const MAX_HOSTS = 20_000;

interface Part extends Pick<LogPart, 'part' | 'play' | 'name'> {
  readonly earlier: readonly [from: number, end: number];
  readonly later: readonly [from: number, end: number];
}

const EMPTY = [0, 0] as const;

/** The line of the final counts, or the one after the last. */
const lastOf = ({ index, total }: ComparedLog): number => index.recap?.line ?? total + 1;

/** The line before which each step ends. */
const ends = (log: ComparedLog): Map<number, number> => {
  const steps = namedSteps(log.index);
  return new Map(steps.map(({ step }, at) => [step, steps[at + 1]?.line ?? lastOf(log)]));
};

const partsOf = (earlier: ComparedLog, later: ComparedLog): Part[] => {
  const [before, after] = [ends(earlier), ends(later)];
  const firstOf = (log: ComparedLog): number => namedSteps(log.index)[0]?.line ?? lastOf(log);
  const start: Part = {
    ...{ part: 'start', play: '', name: '' },
    ...{ earlier: [1, firstOf(earlier)], later: [1, firstOf(later)] },
  };
  const steps = alignSteps(namedSteps(earlier.index), namedSteps(later.index)).map((pair): Part => {
    const rangeOf = (step: typeof pair.earlier, all: Map<number, number>): Part['earlier'] =>
      step === null ? EMPTY : [step.line, all.get(step.step) ?? step.line];
    return {
      ...{ part: 'step', play: pair.play, name: pair.name },
      ...{ earlier: rangeOf(pair.earlier, before), later: rangeOf(pair.later, after) },
    };
  });
  const end: Part = {
    ...{ part: 'end', play: '', name: '' },
    ...{ earlier: [lastOf(earlier), earlier.total + 1], later: [lastOf(later), later.total + 1] },
  };
  return [start, ...steps, end];
};

/** Reads pages of a log forward: many short steps are in one page, which is then read once. */
const pagesOf = ({ read }: ComparedLog): ComparedLog['read'] => {
  let first = 1;
  let page: string[] = [];
  return async (from, limit) => {
    if (from < first || from >= first + page.length) [first, page] = [from, await read(from, PAGE)];
    return page.slice(from - first, from - first + limit);
  };
};

const readKinds = async (
  read: ComparedLog['read'],
  [from, end]: Part['earlier'],
  comparison: LineComparison,
): Promise<{ kinds: LineKinds; lines: number }> => {
  const kinds: LineKinds = new Map();
  const last = Math.min(end, from + MAX_COMPARED_LINES);
  let at = from;
  while (at < last) {
    const lines = await read(at, last - at);
    if (lines.length === 0) break;
    await addLines(kinds, lines, at, comparison);
    at += lines.length;
  }
  return { kinds, lines: at - from };
};

const firstLine = ([from, end]: Part['earlier']): number | null => (from < end ? from : null);

const isWhole = ({ earlier, later }: Part): boolean =>
  Math.max(earlier[1] - earlier[0], later[1] - later[0]) <= MAX_COMPARED_LINES;

/**
 * Compares two logs by step, from a part on. Other work of the thread goes first again and again.
 * @param from number of the first part, from 1
 */
export const compareLogs = async (earlier: ComparedLog, later: ComparedLog, from: number): Promise<ComparedLogs> => {
  const namesOf = ({ index }: ComparedLog) => index.hosts.slice(0, MAX_HOSTS).map(({ host }) => host);
  const hosts = new Set([...namesOf(earlier), ...namesOf(later)]);
  const comparison = { hosts, slice: new WorkSlice() };
  const [readEarlier, readLater] = [pagesOf(earlier), pagesOf(later)];
  const all = partsOf(earlier, later);
  const parts: LogPart[] = [];
  let [at, lines, shown] = [from - 1, 0, 0];
  for (; at < all.length && lines < ENOUGH_READ && shown < ENOUGH_SHOWN; at += 1) {
    const part = all[at] as Part;
    const before = await readKinds(readEarlier, part.earlier, comparison);
    const after = await readKinds(readLater, part.later, comparison);
    lines += before.lines + after.lines;
    const found = lineDifferences(before.kinds, after.kinds);
    const complete = isWhole(part);
    if (found.lines.length === 0 && complete) continue;
    const first = { earlier_line: firstLine(part.earlier), later_line: firstLine(part.later) };
    parts.push({ part: part.part, play: part.play, name: part.name, ...first, ...found, complete });
    shown += found.lines.length;
  }
  return { parts, lines, total: all.length, next: at < all.length ? at + 1 : null };
};
