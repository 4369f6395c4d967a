import type { StateTransaction } from '../../database/database.ts';
import { ApiError } from '../../http/errors/api-error.ts';
import type { LdapServer } from '../../settings/ldap-settings.ts';
import { enterExternal } from './external-user.ts';
import { DirectoryDown, LdapDirectory } from './ldap-directory.ts';
import type { Profile } from './profile.ts';
import { SignOnFailure } from './sign-on-failure.ts';

/** Creates or updates the user of an authenticated person, in the transaction of the session. */
export type Enter = (
  tx: StateTransaction,
  address: string,
  now: Date,
) => Promise<{ readonly id: number; readonly username: string }>;

const enterAs =
  (server: LdapServer, profile: Profile): Enter =>
  async (tx, address, now) => {
    try {
      return await enterExternal(tx, server, profile, address, now);
    } catch (error) {
      if (!(error instanceof SignOnFailure)) throw error;
      throw new ApiError('conflict.own_email_taken');
    }
  };

interface Deps {
  readonly servers: readonly LdapServer[];
  /** Called with a server that could not be queried. Contains no secrets. */
  readonly onDown: (server: string, error: DirectoryDown) => void;
}

/**
 * Queries the directories in order for a login and password.
 * @returns `unknown` when all refuse, `partly_down` when some refuse and others do not answer, `down` when none
 *   answers
 */
export const directoryQuery = ({ servers, onDown }: Deps) => {
  const directories = servers.map((server) => new LdapDirectory(server));
  return async (login: string, password: string): Promise<Enter | 'unknown' | 'partly_down' | 'down'> => {
    let silent = 0;
    for (const directory of directories) {
      try {
        const profile = await directory.verify(login, password);
        if (profile) return enterAs(directory.server, profile);
      } catch (error) {
        if (!(error instanceof DirectoryDown)) throw error;
        silent += 1;
        onDown(directory.server.id, error);
      }
    }
    if (silent === 0) return 'unknown';
    return silent < directories.length ? 'partly_down' : 'down';
  };
};
