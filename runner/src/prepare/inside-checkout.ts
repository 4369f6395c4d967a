import { realpathSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { isInside } from '../git/repository-address.ts';
import { PreparationFault } from './preparation-fault.ts';

/** The real path of something that must exist inside the checkout, also when links lead there. */
export const insideCheckout = (checkout: string, path: string, what: string): string => {
  let real: string;
  try {
    real = realpathSync(join(checkout, path));
  } catch {
    throw new PreparationFault('preparation', `${what} ${path} is not in the repository.`);
  }
  if (isAbsolute(path) || !isInside(realpathSync(checkout), real)) {
    throw new PreparationFault('preparation', `${what} ${path} is outside the repository.`);
  }
  return real;
};
