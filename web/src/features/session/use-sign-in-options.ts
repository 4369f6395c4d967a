import type { SignInOptions } from '@signalbox/contract';
import { useEffect, useState } from 'react';
import { call } from '../../api/call.ts';

/** How to sign in here; undefined while that is not known. Without an answer a password is asked for. */
export const useSignInOptions = (): SignInOptions | undefined => {
  const [options, setOptions] = useState<SignInOptions>();
  useEffect(() => {
    const leaving = new AbortController();
    call('signInOptions', { signal: leaving.signal }).then(setOptions, () => undefined);
    return () => leaving.abort();
  }, []);
  return options;
};
