import type { CurrentUser, SecondFactorMode } from '@signalbox/contract';

interface Holder {
  readonly external: 0 | 1;
  readonly second_factor: 0 | 1;
}

/**
 * Whether a user is asked for a code (`on`), must set one up before anything else (`due`), or neither. Whoever signs in
 * outside is asked there; where second factors are switched off, those that were set up wait until they are on again.
 */
export const secondFactorOf = (mode: SecondFactorMode, user: Holder): CurrentUser['second_factor'] => {
  if (mode === 'off' || user.external === 1) return 'off';
  if (user.second_factor === 1) return 'on';
  return mode === 'required' ? 'due' : 'off';
};
