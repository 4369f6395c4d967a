/**
 * Control characters, and characters that are invisible or change the order of the text around them. Those that join
 * emoji and letters are none.
 */
const HIDDEN =
  /[\p{Cc}\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e0fff}]/gu;

const escapeOf = (character: string): string => {
  const code = character.codePointAt(0)?.toString(16) ?? '';
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`;
};

/**
 * A text of a repository as one visible line: tabs as spaces, hidden characters as escapes such as `\u202e`.
 * @param max maximum number of characters
 */
export const oneLineText = (text: string, max: number): string =>
  text.replaceAll('\t', ' ').replaceAll(HIDDEN, escapeOf).slice(0, max).toWellFormed();
