import type { SurveyVariable } from '@signalbox/contract';

/** Longer texts are matched only by the server. */
const MAX_TEXT = 200;
/** Patterns with more repetitions could take long to match. */
const MAX_REPETITIONS = 3;

/** A repeated group could take exponential time. */
const isFast = (pattern: string): boolean =>
  !/\)[*+{]/.test(pattern) && (pattern.match(/[*+{]/g)?.length ?? 0) <= MAX_REPETITIONS;

const compiled = new Map<string, RegExp | undefined>();

/** With the flag `u`, the browser refuses the syntax that means something else to the server. */
const compile = (pattern: string): RegExp | undefined => {
  if (!isFast(pattern)) return undefined;
  try {
    return new RegExp(`^(?:${pattern})$`, 'u');
  } catch {
    return undefined;
  }
};

/**
 * Whether an answer matches the pattern of its variable, as far as the browser can decide it at once. Everything else
 * counts as a match here: the server checks every pattern.
 */
export const mayMatch = ({ pattern }: Pick<SurveyVariable, 'pattern'>, text: string): boolean => {
  if (text.length > MAX_TEXT) return true;
  if (!compiled.has(pattern)) compiled.set(pattern, compile(pattern));
  return compiled.get(pattern)?.test(text) ?? true;
};
