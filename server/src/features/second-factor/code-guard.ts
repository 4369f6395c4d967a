import { ApiError } from '../../http/errors/api-error.ts';

/**
 * Makes an attempt unless too many have failed for the account and address.
 * @returns whether the attempt was correct; undefined when it was not made
 */
export type Attempt = (
  account: string,
  address: string,
  verify: () => Promise<boolean>,
) => Promise<boolean | undefined>;

const tooManyCodes = (): ApiError => new ApiError('too_many.codes');

/**
 * Checks a code. Six digits are easy to guess, so attempts are limited per address and, regardless of the address,
 * per account. Only a client with the password gets this far.
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
