/** Two letters for a name: the first ones of its first two words, else its first two characters; upper case. */
export const initials = (name: string): string => {
  const words = name.trim().split(/\s+/).filter(Boolean);
  const [first = '', second] = words;
  const letters = second === undefined ? [...first].slice(0, 2) : [[...first][0], [...second][0]];
  return letters.join('').toUpperCase();
};

/** Colours of project avatars cycle through red, blue, orange and green, by the project's place in the list. */
export const avatarColour = (index: number): string => `var(--avatar-${(((index % 4) + 4) % 4) + 1})`;
