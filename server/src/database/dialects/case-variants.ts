/**
 * The characters of a text, each with its other case. Both databases compare only ASCII letters without regard to case, or
 * depend on the locale of the installation.
 */
export const caseVariants = (text: string): string[][] =>
  [...text].map((character) => {
    const cases = [character, character.toLowerCase(), character.toUpperCase()];
    return [...new Set(cases.filter((one) => [...one].length === 1))];
  });
