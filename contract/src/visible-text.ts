/** Alphabets whose letters can look the same. */
const ALPHABETS = ['Latin', 'Cyrillic', 'Greek', 'Armenian', 'Cherokee'];

const mixtures = ALPHABETS.map((alphabet) => {
  const others = ALPHABETS.filter((one) => one !== alphabet).map((one) => `\\p{Script=${one}}`);
  return `\\p{Script=${alphabet}}[\\p{L}\\p{M}\\p{N}]*[${others.join('')}]`;
});

/** Matches text without characters that cannot be seen, except those that join and colour emoji. */
export const VISIBLE =
  /^(?:[^\p{Default_Ignorable_Code_Point}\p{Cf}\p{Co}\u2800]|(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}])\uFE0F|(?<=[0-9#*])\uFE0F(?=\u20E3)|(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}]|\uFE0F)\u200D(?=\p{Extended_Pictographic}))*$/u;

/** Matches text whose words keep to one alphabet each: `аdmin` with a Cyrillic а does not. */
export const ONE_ALPHABET = new RegExp(`^(?!.*(?:${mixtures.join('|')}))`, 'u');

/** Whether a text has mathematical letters, which pass for Latin and Greek ones. */
export const hasMathLetters = (text: string): boolean => /[\u{1D400}-\u{1D7FF}]/u.test(text);

/** Writes the same text always in the same way: composed letters, and every kind of space as a plain one. */
export const plainText = (text: string): string => text.normalize('NFC').replaceAll(/\p{Zs}/gu, ' ');
