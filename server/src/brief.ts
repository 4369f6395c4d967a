import { stripVTControlCharacters } from 'node:util';

/** Default maximum length of a text in a message, in characters. */
const LONGEST = 600;

/** Returns a text on one line, cut to `longest` characters. */
export const brief = (text: string, longest = LONGEST): string => {
  const line = stripVTControlCharacters(text)
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
  const letters = [...line];
  return letters.length > longest ? `${letters.slice(0, longest - 1).join('')}…` : line;
};
