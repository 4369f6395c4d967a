import { scan, type Token } from './scan.ts';
import { isCodeAfter, isDateTerm, isValue } from './terms.ts';

/**
 * The form of a message: its fixed parts, and the values between them. There is one more fixed part than values. Messages
 * with the same fixed parts have the same form.
 */
export interface Form {
  readonly fixed: readonly string[];
  readonly values: readonly string[];
}

/** Maximum number of values. A message ends after them. */
const MAX_VALUES = 40;
const MAX_VALUE = 300;

/** Whether tokens are values. */
const findValues = (tokens: readonly Token[], host: string): boolean[] => {
  const own = host.toLowerCase();
  let before = '';
  const found = tokens.map(({ kind, text }) => {
    if (kind === 'quoted') return text.length > 2;
    if (kind !== 'term') return false;
    const isCode = isCodeAfter(before, text);
    before = text;
    return !isCode && (isValue(text) || text.toLowerCase() === own);
  });
  return found.map((is, at) => is || isPartOfDate(tokens, found, at) || isNameOf(tokens, found, at));
};

/** Whether a name of a day or month has a number next to it. */
const isPartOfDate = (tokens: readonly Token[], found: readonly boolean[], at: number): boolean =>
  tokens[at]?.kind === 'term' &&
  isDateTerm(tokens[at].text) &&
  [-2, 2, 4].some((distance) => found[at + distance] === true && tokens[at + distance]?.kind === 'term');

/** Whether a term in brackets names the value before them, as in `process 2214 (apt)`. */
const isNameOf = (tokens: readonly Token[], found: readonly boolean[], at: number): boolean =>
  tokens[at]?.kind === 'term' &&
  tokens[at - 1]?.text === '(' &&
  tokens[at + 1]?.text === ')' &&
  tokens[at - 2]?.kind === 'space' &&
  found[at - 3] === true;

/** Values that only spaces and commas separate are one value, so that lists of any length have the same form. */
const isSeparator = (text: string): boolean => /^[\s,]*$/.test(text);

/**
 * Returns the form of a message of a host. The same message always has the same form.
 * @param host name of the host, which counts as a value
 */
export const formOf = (message: string, host: string): Form => {
  const tokens = scan(message);
  const isOne = findValues(tokens, host);
  const fixed: string[] = [''];
  const values: string[] = [];
  for (const [at, { kind, text }] of tokens.entries()) {
    const last = fixed.length - 1;
    if (isOne[at] !== true) {
      fixed[last] += kind === 'space' ? ' ' : text;
    } else if (values.length > 0 && isSeparator(fixed[last] ?? '')) {
      values[values.length - 1] += (fixed[last] ?? '') + text;
      fixed[last] = '';
    } else if (values.length < MAX_VALUES) {
      values.push(text);
      fixed.push('');
    } else break;
  }
  return { fixed, values: values.map((value) => value.slice(0, MAX_VALUE)) };
};

/** The fixed parts as one text, with a character between them that no message contains. */
export const keyOf = ({ fixed }: Form): string => fixed.join('\u0000');
