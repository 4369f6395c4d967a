import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { DEMO_REPOSITORY_URL } from '@signalbox/contract/link';
import { PreparationError } from '../errors/preparation-error.ts';

export type RepositoryAddress =
  | { type: 'demo' }
  | { type: 'folder'; path: string }
  | { type: 'local-git'; path: string }
  | RemoteAddress;

export interface RemoteAddress {
  type: 'remote';
  /** Without user info, which must not be in an argument list. */
  url: string;
  protocol: 'https' | 'http' | 'ssh' | 'git';
  /** Scheme, host and port; empty for an address as ssh writes it. */
  origin: string;
  user: string;
  password: string;
}

type RefusedAddress = 'git.address_invalid' | 'git.local_disabled' | 'git.local_outside';

const refuse = (code: RefusedAddress, message: string) =>
  new PreparationError('repository', message, { code, params: { repository: '' } });

const INVALID = 'The address of the repository is not valid.';

/** True when `path` is `root` or inside it; both must be real paths. */
export const isInside = (root: string, path: string): boolean =>
  path === root || path.startsWith(root.endsWith('/') ? root : `${root}/`);

const realPath = (path: string): string | undefined => {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
};

/** The real path of a file or folder on this machine, if it is inside a configured root. */
export const allowedPath = (path: string, roots: readonly string[]): string | undefined => {
  const real = realPath(path);
  return real !== undefined && roots.some((root) => isInside(realPath(root) ?? root, real)) ? real : undefined;
};

const isGitRepository = (path: string) =>
  existsSync(join(path, '.git')) || ['HEAD', 'objects', 'refs'].every((name) => existsSync(join(path, name)));

const localAddress = (path: string, roots: readonly string[]): RepositoryAddress => {
  if (roots.length === 0)
    throw refuse(
      'git.local_disabled',
      'Local repositories are switched off: SIGNALBOX_LOCAL_REPOSITORY_ROOTS lists no folder.',
    );
  const real = allowedPath(path, roots);
  if (real === undefined) {
    throw refuse(
      'git.local_outside',
      `The local repository ${path} does not exist or is outside the folders that SIGNALBOX_LOCAL_REPOSITORY_ROOTS lists.`,
    );
  }
  return { type: isGitRepository(real) ? 'local-git' : 'folder', path: real };
};

const decoded = (text: string) => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** Reads a repository's URL. @throws when it is not allowed. */
export const parseRepositoryUrl = (url: string, roots: readonly string[]): RepositoryAddress => {
  if (url === DEMO_REPOSITORY_URL) return { type: 'demo' };
  if (url.startsWith('-') || /[\0\r\n]/.test(url)) throw refuse('git.address_invalid', INVALID);
  if (url.startsWith('/')) return localAddress(url, roots);
  const parts = /^([a-z][a-z0-9+.-]*):\/\/(.*)$/is.exec(url);
  if (!parts) {
    // The format of ssh: user@host:path. A host that begins with a dash would be an option of ssh.
    const target = /^(?:([^@:/\s]+)@)?([^@:/\s-][^@:/\s]*):(?!:)(.+)$/.exec(url);
    if (!target || target[1]?.startsWith('-')) throw refuse('git.address_invalid', INVALID);
    return { type: 'remote', url, protocol: 'ssh', origin: '', user: target[1] ?? '', password: '' };
  }
  const scheme = (parts[1] ?? '').toLowerCase();
  const rest = parts[2] ?? '';
  if (scheme === 'file') return localAddress(decoded(rest.replace(/^localhost(?=\/)/, '')), roots);
  if (scheme !== 'https' && scheme !== 'http' && scheme !== 'ssh' && scheme !== 'git') {
    throw new PreparationError('repository', `Repositories cannot be read over ${scheme}.`, {
      code: 'git.protocol_refused',
      params: { repository: '', protocol: scheme },
    });
  }
  const authority = /^[^/?#]*/.exec(rest)?.[0] ?? '';
  const at = authority.lastIndexOf('@');
  const host = authority.slice(at + 1);
  if (host === '' || host.startsWith('-')) throw refuse('git.address_invalid', INVALID);
  const info = at === -1 ? '' : authority.slice(0, at);
  const colon = info.indexOf(':');
  const user = decoded(colon === -1 ? info : info.slice(0, colon));
  const password = colon === -1 ? '' : decoded(info.slice(colon + 1));
  if (user.startsWith('-')) throw refuse('git.address_invalid', INVALID);
  // ssh takes its user from the address; a password in it is of no use there.
  const kept = scheme === 'ssh' && user !== '' ? `${encodeURIComponent(user)}@` : '';
  const plain = `${scheme}://${kept}${rest.slice(at + 1)}`;
  return { type: 'remote', url: plain, protocol: scheme, origin: `${scheme}://${host}`, user, password };
};

/** How the address is shown: without user info. */
export const shownUrl = (url: string): string => url.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/?#]*@/i, '$1');
