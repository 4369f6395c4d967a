/** A part of a message: a term, a quoted text, white space, or one other character. */
export interface Token {
  readonly kind: 'term' | 'quoted' | 'space' | 'sign';
  readonly text: string;
}

const QUOTES = new Map([
  ["'", "'"],
  ['"', '"'],
  ['`', '`'],
  ['“', '”'],
  ['‘', '’'],
  ['«', '»'],
]);
/** Characters that end a term. */
const SIGNS = new Set(` \t\r\n,;()[]{}<>|!?=*'"\`“”‘’«»`);
/** Characters that end a URL. */
const URL_ENDS = new Set(` \t\r\n,()<>'"\``);
const SPACE = /\s/;
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

const isSpace = (char: string): boolean => SPACE.test(char);
const isAlnum = (char: string | undefined): boolean => char !== undefined && LETTER_OR_DIGIT.test(char);

/** Returns where a text is next, or Infinity. The numbers of the calls must not decrease: all calls together read once. */
const finder = (text: string, wanted: string): ((from: number) => number) => {
  let found = -1;
  return (from) => {
    if (found < from) found = text.indexOf(wanted, from);
    if (found < 0) found = Number.POSITIVE_INFINITY;
    return found;
  };
};

/** Whether a quote follows a letter that makes it text in Python, as in `b'x'`. */
const isPrefixed = (text: string, at: number): boolean =>
  (text[at - 1] === 'b' || text[at - 1] === 'u') && !isAlnum(text[at - 2]);

/** Returns the end of a quoted text that begins at a number; undefined if the character there opens no quote. */
type QuoteReader = (at: number) => number | undefined;

/** Finds quoted texts from left to right. */
const quoteReader = (text: string): QuoteReader => {
  const closings = new Map([...QUOTES].map(([open, close]) => [open, finder(text, close)]));
  const firstSpace = finder(text, ' ');
  const secondSpace = finder(text, ' ');
  const assignment = finder(text, '=');
  const option = finder(text, ' -');
  /** Whether a quoted text is a phrase, whose terms name the failure, and not a name or a command. */
  const isPhrase = (start: number, end: number): boolean =>
    isAlnum(text[start]) &&
    secondSpace(firstSpace(start) + 1) < end &&
    assignment(start) >= end &&
    option(start) + 1 >= end;
  return (at) => {
    const closing = closings.get(text[at] ?? '');
    if (!closing || (isAlnum(text[at - 1]) && !isPrefixed(text, at))) return undefined;
    const end = closing(at + 1);
    if (end === Number.POSITIVE_INFINITY || isAlnum(text[end + 1]) || isPhrase(at + 1, end)) return undefined;
    return end + 1;
  };
};

const endOfSpace = (text: string, at: number): number => {
  let end = at;
  while (end < text.length && isSpace(text[end] as string)) end += 1;
  return end;
};

const endOfTerm = (text: string, at: number): number => {
  let end = at;
  while (end < text.length && !SIGNS.has(text[end] as string)) end += 1;
  if (!text.slice(at, end).includes('://')) return end;
  while (end < text.length && !URL_ENDS.has(text[end] as string)) end += 1;
  return end;
};

/** Colons separate terms, except in addresses, times and paths, which contain digits or slashes. */
const termsOf = (run: string): Token[] => {
  const tokens: Token[] = [];
  let end = run.length;
  while (end > 1 && '.:'.includes(run[end - 1] as string)) end -= 1;
  const term = run.slice(0, end);
  const parts = /[\d/\\]/.test(term) ? [term] : term.split(':');
  for (const [at, part] of parts.entries()) {
    if (at > 0) tokens.push({ kind: 'sign', text: ':' });
    if (part !== '') tokens.push({ kind: 'term', text: part });
  }
  for (const sign of run.slice(end)) tokens.push({ kind: 'sign', text: sign });
  return tokens;
};

/** Splits a message. Together the texts of the tokens are the message. Takes time in proportion to its length. */
export const scan = (text: string): Token[] => {
  const tokens: Token[] = [];
  const endOfQuoted = quoteReader(text);
  for (let at = 0; at < text.length; ) {
    const char = text[at] as string;
    const quoted = endOfQuoted(at);
    if (quoted !== undefined) {
      tokens.push({ kind: 'quoted', text: text.slice(at, quoted) });
      at = quoted;
    } else if (isSpace(char)) {
      const end = endOfSpace(text, at);
      tokens.push({ kind: 'space', text: text.slice(at, end) });
      at = end;
    } else if (SIGNS.has(char)) {
      tokens.push({ kind: 'sign', text: char });
      at += 1;
    } else {
      const end = endOfTerm(text, at);
      for (const token of termsOf(text.slice(at, end))) tokens.push(token);
      at = end;
    }
  }
  return tokens;
};
