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

/** Whether a quoted text is a phrase, whose terms name the failure, and not a name or a command. */
const isPhrase = (inner: string): boolean =>
  inner.split(' ').length > 2 && isAlnum(inner[0]) && !inner.includes('=') && !inner.includes(' -');

/** Whether a quote follows a letter that makes it text in Python, as in `b'x'`. */
const isPrefixed = (text: string, at: number): boolean =>
  (text[at - 1] === 'b' || text[at - 1] === 'u') && !isAlnum(text[at - 2]);

/** The end of a quoted text that begins here, after its closing quote; undefined if the character opens no quote. */
const endOfQuoted = (text: string, at: number): number | undefined => {
  const close = QUOTES.get(text[at] ?? '');
  if (close === undefined || (isAlnum(text[at - 1]) && !isPrefixed(text, at))) return undefined;
  // The nearest closing quote ends the search, so all searches together read the text once.
  const end = text.indexOf(close, at + 1);
  if (end < 0 || isAlnum(text[end + 1]) || isPhrase(text.slice(at + 1, end))) return undefined;
  return end + 1;
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
  for (let at = 0; at < text.length; ) {
    const char = text[at] as string;
    const quoted = endOfQuoted(text, at);
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
