import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Access, JobSpec, RepositorySource } from '@signalbox/contract/link';
import { parseRepositoryUrl } from '../git/repository-address.ts';

/** Writes one file that only the run's user can read, and that nobody can execute. */
export const writeSecretFile = async (folder: string, name: string, data: string): Promise<string> => {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, name);
  await writeFile(path, data, { mode: 0o600 });
  return path;
};

/** The values of an opened key that must not be shown. */
export const secretsOfAccess = (access: Access | null): string[] => {
  if (access?.type === 'ssh') return [access.private_key, access.passphrase];
  return access?.type === 'login_password' ? [access.password] : [];
};

/** What must not be shown of an address. */
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

/** Every value of an order that must not show in its log. */
export const secretsOf = (order: JobSpec): string[] =>
  [
    ...secretsOfSource(order.repository),
    ...secretsOfAccess(order.inventory.access),
    ...secretsOfAccess(order.inventory.become),
    order.vault_password ?? '',
    ...Object.values(order.secret_variables),
    ...Object.values(order.secret_environment),
  ].filter((secret) => secret !== '');
