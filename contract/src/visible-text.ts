/** Alphabets whose letters can resemble each other. */
const ALPHABETS = ['Latin', 'Cyrillic', 'Greek', 'Armenian', 'Cherokee'];

const mixtures = ALPHABETS.map((alphabet) => {
  const others = ALPHABETS.filter((one) => one !== alphabet).map((one) => `\\p{Script=${one}}`);
  return `\\p{Script=${alphabet}}[\\p{L}\\p{M}\\p{N}]*[${others.join('')}]`;
});

/** Matches text without invisible characters, except those that join and colour emoji. */
export const VISIBLE =
  /^(?:[^\p{Default_Ignorable_Code_Point}\p{Cf}\p{Co}\u2800]|(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}])\uFE0F|(?<=[0-9#*])\uFE0F(?=\u20E3)|(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}]|\uFE0F)\u200D(?=\p{Extended_Pictographic}))*$/u;

/** Matches text without a run of letters from several alphabets. `аdmin` with a Cyrillic а does not match. */
export const ONE_ALPHABET = new RegExp(`^(?!.*(?:${mixtures.join('|')}))`, 'u');

/** Whether a text has mathematical letters, which resemble Latin and Greek ones. */
export const hasMathLetters = (text: string): boolean => /[\u{1D400}-\u{1D7FF}]/u.test(text);

/** Normalizes text so that equal names compare equal: composed letters (NFC), and every kind of space as a plain one. */
export const plainText = (text: string): string => text.normalize('NFC').replaceAll(/\p{Zs}/gu, ' ');
