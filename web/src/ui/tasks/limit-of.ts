import { MAX_LIMIT } from 'virtual:routes';

/** Host names as a limit; undefined without names, or if they exceed the maximum length. */
export const limitOf = (names: readonly string[]): string | undefined => {
  const limit = names.join(',');
  return names.length === 0 || limit.length > MAX_LIMIT ? undefined : limit;
};
