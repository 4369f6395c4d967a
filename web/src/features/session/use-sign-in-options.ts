import type { SignInOptions } from '@signalbox/contract';
import { useEffect, useState } from 'react';
import { call } from '../../api/call.ts';

/** The sign-in methods of this server; undefined while they load. Falls back to a password if the request fails. */
export const useSignInOptions = (): SignInOptions | undefined => {
  const [options, setOptions] = useState<SignInOptions>();
  useEffect(() => {
    const leaving = new AbortController();
    call('signInOptions', { signal: leaving.signal }).then(setOptions, () => undefined);
    return () => leaving.abort();
  }, []);
  return options;
};
