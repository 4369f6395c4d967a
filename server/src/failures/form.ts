import { scan, type Token } from './scan.ts';
import { isCodeAfter, isDateTerm, isNameAfter, isValue } from './terms.ts';

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

/** The first part of a value that names a program or an object, as `nginx` in `nginx.service` and `nginx:1.24`. */
const stemOf = (value: string): string =>
  value.includes('/') ? '' : (/^[A-Za-z_-]{3,}(?=[.:])/.exec(value)?.[0] ?? '');

/** Whether tokens are values. */
const findValues = (tokens: readonly Token[], host: string): boolean[] => {
  const own = host.toLowerCase();
  const stems = new Set(tokens.flatMap(({ kind, text }) => (kind === 'term' && isValue(text) ? [stemOf(text)] : [])));
  let before = '';
  const found = tokens.map(({ kind, text }) => {
    if (kind === 'quoted') return text.length > 2;
    if (kind !== 'term') return false;
    const isCode = isCodeAfter(before, text);
    const isName = isNameAfter(before, text);
    before = text;
    return !isCode && (isName || isValue(text) || text.toLowerCase() === own || stems.has(text));
  });
  return found.map(
    (is, at) =>
      is ||
      isPartOfDate(tokens, found, at) ||
      isNameOf(tokens, found, at) ||
      isAssigned(tokens, found, at) ||
      isNumbered(tokens, found, at),
  );
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

/** Whether a term is the key of a value, as in `nginx=1.24`, or the value of a key, as in `state=present`. */
const isAssigned = (tokens: readonly Token[], found: readonly boolean[], at: number): boolean => {
  if (tokens[at]?.kind !== 'term') return false;
  const next = tokens[at + 2]?.text === '=' ? at + 3 : at + 2;
  return tokens[at + 1]?.text === '='
    ? found[next] === true
    : tokens[at - 1]?.text === '=' && !/^-?\d/.test(tokens[at].text);
};

/** Whether a term has a number in brackets, as a process has in `nginx[812]`. */
const isNumbered = (tokens: readonly Token[], found: readonly boolean[], at: number): boolean =>
  tokens[at]?.kind === 'term' && tokens[at + 1]?.text === '[' && found[at + 2] === true;

/** Values that only spaces and commas separate are one value, so that lists of any length have the same form. */
const isSeparator = (text: string): boolean => /^[\s,]*$/.test(text);

/** White space as it is compared: one space, or one line break. */
const spaceOf = (text: string): string => (text.includes('\n') ? '\n' : ' ');

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
      fixed[last] += kind === 'space' ? spaceOf(text) : text;
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
