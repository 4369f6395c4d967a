import { DAY_MS } from '@signalbox/contract/limits';

const FIRST_MS = 1_000;
const MAX_MS = 15 * 60_000;
/** Age at which a message that could not be delivered is given up, in milliseconds, because it would be outdated. */
export const GIVE_UP_MS = DAY_MS;

/**
 * Returns the delay before the next attempt, in milliseconds. It doubles each time up to 15 minutes, and a random
 * half of it is added or not, so that messages that failed together are not sent together.
 * @param attempts number of attempts so far
 * @param chance random number from 0 to 1
 */
export const waitAfter = (attempts: number, chance: number): number => {
  const longest = Math.min(FIRST_MS * 2 ** Math.min(attempts - 1, 30), MAX_MS);
  return Math.round(longest * (0.5 + chance / 2));
};
