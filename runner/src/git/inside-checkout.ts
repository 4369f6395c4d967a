import { realpathSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import type { EndReason } from '@signalbox/contract';
import { ownDetail } from '../errors/own-detail.ts';
import { PreparationError } from '../errors/preparation-error.ts';
import { isInside } from './repository-address.ts';

/**
 * The path of something that must exist inside the checkout, also through links. The path is not resolved: Ansible
 * reads files next to a link of a playbook or an inventory, not next to its target.
 * @param what the subject of the error message, such as "The playbook"
 * @param kind selects the end reason, such as `playbook.missing`. Default: the code `preparation.failed`
 */
export const insideCheckout = (
  checkout: string,
  path: string,
  what: string,
  kind?: 'playbook' | 'inventory',
): string => {
  const reason = (is: 'missing' | 'outside', why: string): EndReason =>
    kind === undefined
      ? { code: 'preparation.failed', params: ownDetail(`path_${is}`, `${path} is ${why}`, path) }
      : { code: `${kind}.${is}`, params: { path } };
  const top = realpathSync(checkout);
  const named = join(top, path);
  let real: string;
  try {
    real = realpathSync(named);
  } catch {
    throw new PreparationError(
      'preparation',
      `${what} ${path} is not in the repository.`,
      reason('missing', 'not in the repository'),
    );
  }
  if (isAbsolute(path) || !isInside(top, real)) {
    throw new PreparationError(
      'preparation',
      `${what} ${path} is outside the repository.`,
      reason('outside', 'outside the repository'),
    );
  }
  return named;
};
