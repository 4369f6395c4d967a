import { stripVTControlCharacters } from 'node:util';

/** Default maximum length of a text in a message, in characters. */
const MAX_LENGTH = 600;

/** Returns a text on one line, cut to `longest` characters. */
export const brief = (text: string, maxLength = MAX_LENGTH): string => {
  const line = stripVTControlCharacters(text)
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
  const letters = [...line];
  return letters.length > maxLength ? `${letters.slice(0, maxLength - 1).join('')}…` : line;
};
