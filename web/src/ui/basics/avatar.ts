/** Initials of a name in upper case: the first letters of its first two parts, else its first two characters. */
export const initials = (name: string): string => {
  const parts = name.trim().split(/\s+/).filter(Boolean);
  const [first = '', second] = parts;
  const letters = second === undefined ? [...first].slice(0, 2) : [[...first][0], [...second][0]];
  return letters.join('').toUpperCase();
};

/** Colours of project avatars: red, blue, orange and green in turn, by the position of the project in the list. */
export const avatarColour = (index: number): string => `var(--avatar-${(((index % 4) + 4) % 4) + 1})`;
