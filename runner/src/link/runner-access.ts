import { readFile } from 'node:fs/promises';
import { type Credential, credentialFile, readCredential, withToken, writeCredential } from './credential.ts';

/** The server of a runner, and what the runner authenticates with. */
export interface RunnerAccess {
  readonly server: string;
  /** Name with which the runner registered; empty if it is not known. */
  readonly name: string;
  readonly ca: string;
  /** Whether the runner takes one task, and is deleted then. */
  readonly isEphemeral: boolean;
  /** Reads the token, which may have been replaced. */
  readonly token: () => Promise<string>;
  /** Stores a new token; undefined if the runner cannot. */
  readonly replaceToken: ((token: string) => Promise<void>) | undefined;
  /**
   * Called when the server has refused the token: the next attempt uses an earlier one, if there is one.
   * @param times number of refusals since the last open link
   * @returns whether the server has refused each token several times
   */
  readonly refused: (times: number) => boolean;
}

interface AccessSettings {
  readonly server: string | undefined;
  /** A file with a token that an administrator has stored; undefined for a registered runner. */
  readonly tokenFile: string | undefined;
  readonly data: string;
}

/** How often the server must refuse each token: a proxy in front of it may refuse a few requests in error. */
const REFUSALS = 3;

export class NoAccess extends Error {}

const requireCredential = async (data: string): Promise<Credential> => {
  const credential = await readCredential(data).catch((error: Error) => {
    throw new NoAccess(`The file ${credentialFile(data)} cannot be read: ${error.message}`);
  });
  if (credential) return credential;
  throw new NoAccess(
    'SIGNALBOX_RUNNER_TOKEN_FILE is required, or register this runner first: signalbox runner register --help',
  );
};

/** The token in the data folder. It is read after any change that has begun. */
const storedToken = (data: string): Pick<RunnerAccess, 'token' | 'replaceToken' | 'refused'> => {
  let changing: Promise<void> = Promise.resolve();
  let refusals = 0;
  let count = 1;
  return {
    token: async () => {
      await changing;
      const { token, earlier } = await requireCredential(data);
      const tokens = [token, ...earlier];
      count = tokens.length;
      return tokens[refusals % tokens.length] ?? token;
    },
    replaceToken: (token) => {
      const changed = changing.then(async () => {
        await writeCredential(data, withToken(await requireCredential(data), token));
        refusals = 0;
      });
      changing = changed.catch(() => undefined);
      return changed;
    },
    refused: (times) => {
      refusals += 1;
      return times >= REFUSALS * count;
    },
  };
};

/**
 * Finds how to reach the server: by the settings, or by the credential of a registered runner in its data folder.
 * @throws NoAccess when neither is complete
 */
export const findAccess = async ({ server, tokenFile, data }: AccessSettings): Promise<RunnerAccess> => {
  if (tokenFile !== undefined) {
    if (server === undefined)
      throw new NoAccess('SIGNALBOX_SERVER is required: unix:/path/to/socket, or the http(s) address of the server');
    const token = async () => (await readFile(tokenFile, 'utf8')).trim();
    const refused = (times: number) => times >= REFUSALS;
    return { server, name: '', ca: '', isEphemeral: false, token, replaceToken: undefined, refused };
  }
  const credential = await requireCredential(data);
  const { name, ca, ephemeral } = credential;
  return { server: server ?? credential.server, name, ca, isEphemeral: ephemeral, ...storedToken(data) };
};
