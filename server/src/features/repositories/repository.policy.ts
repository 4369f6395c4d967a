import { holds, type Repository, repositoryType } from '@signalbox/contract';
import { badField } from '../../http/errors/api-error.ts';

/** An address may contain a name and password. Only managers see them. */
export const redactUrl = (url: string): string => url.replace(/^([a-z+]+:\/\/)[^/]*@/i, '$1');

const HAS_PASSWORD = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*:[^/?#]*@/i;

/** Whether an address contains a password before the host name. */
export const hasPassword = (url: string): boolean => HAS_PASSWORD.test(url);

/**
 * Checks a new or changed address. An unchanged one is accepted, because a user who only renames the repository may not
 * be able to correct it.
 * @throws bad_input for a password in the address, and for http where the settings do not allow it
 */
export const checkAddress = (url: string, allowHttp: boolean): void => {
  if (hasPassword(url)) {
    throw badField('git_url', 'field.git_password');
  }
  if (repositoryType(url) === 'http' && !allowHttp) {
    throw badField('git_url', 'field.git_http');
  }
};

export const presentRepository = (repository: Repository, permissions: number): Repository =>
  holds(permissions, 'edit_repositories') ? repository : { ...repository, git_url: redactUrl(repository.git_url) };
