import { ApiError } from '../../http/api-error.ts';

/**
 * Makes an attempt unless too many have failed, told by an account and an address.
 * @returns whether it was right; undefined when it was not made
 */
export type Attempt = (
  account: string,
  address: string,
  verify: () => Promise<boolean>,
) => Promise<boolean | undefined>;

const tooManyCodes = (): ApiError => new ApiError('too_many.codes');

/**
 * Checks a code. Six digits are few: beside the guesses of an address, those at one account are counted wherever they
 * come from. Only who has the password gets so far.
 * @throws too_many
 */
export const guardCode = async (
  attempt: Attempt,
  userId: number,
  address: string,
  verify: () => Promise<boolean>,
): Promise<boolean> => {
  const right = await attempt(`code of #${userId}`, address, async () => {
    const inner = await attempt('code', `account #${userId}`, verify);
    if (inner === undefined) throw tooManyCodes();
    return inner;
  });
  if (right === undefined) throw tooManyCodes();
  return right;
};
