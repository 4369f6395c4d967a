import { readFileSync } from 'node:fs';
import { readClientSettings } from '../config.ts';
import { StartError } from '../start-error.ts';
import { ApiCaller } from './api-caller.ts';

export interface CallerOptions {
  readonly server?: string;
  readonly tokenFile?: string;
}

/** The server and the token of a command, from its options or from the environment. @throws StartError without one */
export const callerOf = (options: CallerOptions): { readonly api: ApiCaller; readonly colours: boolean } => {
  const settings = readClientSettings();
  const address = options.server ?? settings.server;
  if (!address) throw new StartError('Name the server with --server or SIGNALBOX_SERVER.');
  if (!/^https?:\/\//.test(address))
    throw new StartError('The address of the server must start with http:// or https://.');
  let token = settings.token;
  if (options.tokenFile !== undefined) {
    try {
      token = readFileSync(options.tokenFile, 'utf8').trim();
    } catch (error) {
      throw new StartError(`The token cannot be read (${(error as Error).message}).`);
    }
  }
  if (!token) throw new StartError('Give an API token in SIGNALBOX_TOKEN, or in a file with --token-file.');
  return { api: new ApiCaller(address, token), colours: settings.colours };
};
