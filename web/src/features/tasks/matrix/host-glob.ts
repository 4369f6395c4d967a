type Test = (letter: string) => boolean;

/** Any number of any characters. */
const MANY = '*';
type Token = typeof MANY | Test;

/** A test for the characters of a class such as `a-c7`, or, after `!`, for all others. */
const classOf = (body: string): Test => {
  const isNegated = body.startsWith('!');
  const listed = isNegated ? body.slice(1) : body;
  const ranges = [...listed.matchAll(/(.)-(.)|(.)/gs)].map(([, from = '', to = '', one]) => [one ?? from, one ?? to]);
  return (letter) => ranges.some(([from = '', to = '']) => letter >= from && letter <= to) !== isNegated;
};

const tokensOf = (pattern: string): Token[] => {
  const tokens: Token[] = [];
  for (let at = 0; at < pattern.length; at += 1) {
    const letter = pattern.charAt(at);
    // The first character of a class can be a bracket. A class without an end is a text.
    const end = letter === '[' ? pattern.indexOf(']', at + (pattern[at + 1] === '!' ? 3 : 2)) : -1;
    if (letter === '*') tokens.push(MANY);
    else if (letter === '?') tokens.push(() => true);
    else if (end < 0) tokens.push((other) => other === letter);
    else {
      tokens.push(classOf(pattern.slice(at + 1, end)));
      at = end;
    }
  }
  return tokens;
};

/**
 * A test for names from a pattern with `*`, `?`, `[ab]` and `[!a-c]`. Only the last `*` is tried again, so a test takes at
 * most the product of both lengths.
 */
export const globOf = (pattern: string): ((name: string) => boolean) => {
  const tokens = tokensOf(pattern);
  return (name) => {
    let [at, next, many, from] = [0, 0, -1, 0];
    while (at < name.length) {
      const token = tokens[next];
      if (token === MANY) {
        [many, from] = [next, at];
        next += 1;
      } else if (token?.(name.charAt(at))) {
        at += 1;
        next += 1;
      } else if (many >= 0) {
        from += 1;
        [at, next] = [from, many + 1];
      } else return false;
    }
    return tokens.slice(next).every((token) => token === MANY);
  };
};
