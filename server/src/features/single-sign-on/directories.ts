import type { StateTransaction } from '../../database/database.ts';
import { ApiError } from '../../http/api-error.ts';
import type { LdapServer } from '../../ldap-settings.ts';
import { enterExternal } from './external-user.ts';
import { DirectoryDown, LdapDirectory } from './ldap-directory.ts';
import type { Profile } from './profile.ts';
import { SignOnFailure } from './sign-on-failure.ts';

/** Makes whoever showed their password a user here, in the transaction of their session. */
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

interface Needs {
  readonly servers: readonly LdapServer[];
  /** Called when a server could not be asked, without any secret. */
  readonly onDown: (server: string, error: DirectoryDown) => void;
}

/**
 * Asks the directories in their order who has this login and this password.
 * @returns `nobody` where all of them say no, `partly_down` where some say no and others nothing, `down` where all say nothing
 */
export const directoryAsker = ({ servers, onDown }: Needs) => {
  const directories = servers.map((server) => new LdapDirectory(server));
  return async (login: string, password: string): Promise<Enter | 'nobody' | 'partly_down' | 'down'> => {
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
    if (silent === 0) return 'nobody';
    return silent < directories.length ? 'partly_down' : 'down';
  };
};
