import { MAX_LIMIT } from 'virtual:routes';

/**
 * Host names as a limit. Undefined without names, if they exceed the maximum length, or if one contains `*`: the secret in its name is
 * masked, and Ansible would take it for a pattern of other hosts.
 */
export const limitOf = (names: readonly string[]): string | undefined => {
  const limit = names.join(',');
  return names.length === 0 || limit.length > MAX_LIMIT || limit.includes('*') ? undefined : limit;
};
