import type { Access, RepositorySource } from '@signalbox/contract/link';
import { parseRepositoryUrl } from './repository-address.ts';

/** The values of a decrypted key that must not be shown. */
export const secretsOfAccess = (access: Access | null): string[] => {
  if (access?.type === 'ssh') return [access.private_key, access.passphrase];
  return access?.type === 'login_password' ? [access.password] : [];
};

/** The parts of an address that must not be shown. */
export const secretsOfUrl = (url: string): string[] => {
  try {
    const address = parseRepositoryUrl(url, []);
    // A token is often given as the user, without a password.
    return address.type === 'remote' ? [address.password, address.protocol === 'ssh' ? '' : address.user] : [];
  } catch {
    return [];
  }
};

/** Every value of a repository's access that must not be shown. */
export const secretsOfSource = (source: RepositorySource): string[] =>
  [...secretsOfAccess(source.access), ...secretsOfUrl(source.url)].filter((secret) => secret !== '');
