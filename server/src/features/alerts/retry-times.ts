const FIRST_MS = 1_000;
const LONGEST_MS = 15 * 60_000;
/** A message that could not be brought for so long is given up, in milliseconds: it would be no news any more. */
export const GIVE_UP_MS = 24 * 3_600_000;

/**
 * How long to wait before the next attempt, in milliseconds: twice as long each time, up to a quarter of an hour, and
 * between half and all of that by chance, so that what failed together is not tried together.
 * @param attempts how often it was tried
 * @param chance from 0 to 1
 */
export const waitAfter = (attempts: number, chance: number): number => {
  const longest = Math.min(FIRST_MS * 2 ** Math.min(attempts - 1, 30), LONGEST_MS);
  return Math.round(longest * (0.5 + chance / 2));
};
