import type { SurveyVariable } from '@signalbox/contract';
import { RE2JS } from 're2js';
import { WorkSlice } from './work-slice.ts';

/** Texts longer than this match no pattern. Matching takes time that grows with the product of text and pattern. */
const MAX_TEXT = 2_000;
/** The number of steps of a compiled pattern. */
const MAX_STEPS = 300;
/** The number of steps of all patterns of a survey. */
const MAX_SURVEY_STEPS = 6_000;
/** Steps times characters that are tried for the answers to one survey, because a transaction waits for the result. */
const MAX_TRIES = 1_000_000;

const SYMBOLS = /\\[pP]\{[^}]*\}|\\.|\[(?:\\.|[^\]\\])*\]|\{\d+(?:,\d*)?\}|[\s\S]/g;

/** How often a counted repetition such as `{2,5}` repeats what is before it; undefined for another symbol. */
const repetitionsOf = (symbol: string): number | undefined => {
  const counts = /^\{(\d+)(?:,(\d*))?\}$/.exec(symbol);
  return counts ? Math.max(1, Number(counts[1]), Number(counts[2] ?? 0)) : undefined;
};

/** Estimates the number of steps before a pattern is compiled, because compiling nested repetitions takes long. */
const estimateSteps = (pattern: string): number => {
  const outer: number[] = [];
  let total = 0;
  let last = 0;
  for (const [symbol] of pattern.matchAll(SYMBOLS)) {
    const repetitions = repetitionsOf(symbol);
    if (repetitions !== undefined) {
      total += last * (repetitions - 1);
      last *= repetitions;
    } else if (symbol === '(') {
      outer.push(total);
      total = 0;
      last = 0;
    } else if (symbol === ')') {
      last = total + 1;
      total = (outer.pop() ?? 0) + last;
    } else {
      last = 1;
      total += 1;
    }
  }
  return outer.reduce((sum, steps) => sum + steps, total);
};

/** Compiles a pattern; undefined if it is not a regular expression, or too complex. It matches in linear time. */
const compile = (pattern: string): RE2JS | undefined => {
  if (estimateSteps(pattern) > MAX_STEPS) return undefined;
  try {
    const compiled = RE2JS.compile(pattern);
    return compiled.programSize() > 2 * MAX_STEPS ? undefined : compiled;
  } catch {
    return undefined;
  }
};

/**
 * Finds the first part of a text that matches a pattern: what its first group matched, or everything without a group.
 * @returns undefined if no part matches, or the text is longer than 2000 characters
 */
export const findPart = (pattern: string, text: string): string | undefined => {
  if (text.length > MAX_TEXT) return undefined;
  const matcher = compile(pattern)?.matcher(text);
  if (!matcher?.find()) return undefined;
  return (matcher.groupCount() > 0 ? matcher.group(1) : matcher.group()) ?? undefined;
};

/** Finds the first pattern of a survey that is not a regular expression, or makes the survey too complex. */
export const findBadPattern = async (
  survey: readonly Pick<SurveyVariable, 'pattern'>[],
): Promise<number | undefined> => {
  const slice = new WorkSlice();
  let steps = 0;
  for (const [index, { pattern }] of survey.entries()) {
    steps += estimateSteps(pattern);
    if (steps > MAX_SURVEY_STEPS || (pattern !== '' && compile(pattern) === undefined)) return index;
    if (slice.isOver) await slice.next();
  }
  return undefined;
};

/**
 * Finds the variables whose answer, or default without an answer, does not match their pattern.
 * @param given the answers by the name of the variable
 * @returns the names of the variables
 */
export const findMismatches = async (
  survey: readonly SurveyVariable[],
  given: Readonly<Record<string, unknown>>,
): Promise<ReadonlySet<string>> => {
  const slice = new WorkSlice();
  const found = new Set<string>();
  let tries = 0;
  for (const { name, pattern, default_value } of survey) {
    if (pattern === '') continue;
    const answer = Object.hasOwn(given, name) ? given[name] : undefined;
    const text = String(answer ?? default_value);
    tries += estimateSteps(pattern) * text.length;
    const isTooLong = text.length > MAX_TEXT || tries > MAX_TRIES;
    if (isTooLong || compile(pattern)?.matches(text) !== true) found.add(name);
    if (slice.isOver) await slice.next();
  }
  return found;
};
