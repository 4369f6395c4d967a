import type { CurrentUser, SecondFactorMode } from '@signalbox/contract';

interface Holder {
  readonly external: 0 | 1;
  readonly second_factor: 0 | 1;
  readonly service?: 0 | 1;
}

/**
 * Whether a user must enter a code (`on`), must set up a second factor first (`due`), or neither. Users of a provider
 * or directory use the second factor there, and service accounts cannot sign in. If second factors are switched off, stored ones are ignored until they
 * are switched on again.
 */
export const secondFactorOf = (mode: SecondFactorMode, user: Holder): CurrentUser['second_factor'] => {
  if (mode === 'off' || user.external === 1 || user.service === 1) return 'off';
  if (user.second_factor === 1) return 'on';
  return mode === 'required' ? 'due' : 'off';
};
