import { mkdirSync, rmdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { text as readStream } from 'node:stream/consumers';
import { credentialFile, readCredential, writeCredential } from '../link/credential.ts';
import { type RegisterOptions, UsageError } from './register-options.ts';
import { NotRegistered, registerRunner } from './register-runner.ts';
import { startCommand } from './start-command.ts';

interface Deps {
  /** Variables that name the proxy. */
  readonly proxy: Readonly<Record<string, string>>;
  /** Folders in which the shell of the user finds programs. */
  readonly path: string;
  readonly stdin: NodeJS.ReadableStream;
  readonly print: (text: string) => void;
  /** Locks the data folder, so that no runner uses it. Returns how to unlock it. */
  readonly lock: (data: string) => () => void;
}

const readText = (file: string, what: string): Promise<string> =>
  readFile(file, 'utf8').catch((error: Error) => {
    throw new UsageError(`The ${what} ${file} cannot be read: ${error.message}`);
  });

const readToken = async (token: RegisterOptions['token'], stdin: NodeJS.ReadableStream): Promise<string> => {
  if ('text' in token) return token.text;
  const text = token.file === '-' ? await readStream(stdin) : await readText(token.file, 'file');
  if (text.trim() === '') throw new UsageError('The registration token is empty.');
  return text.trim();
};

const isOnThisMachine = (server: string): boolean =>
  /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(server).hostname);

const refuseReplacement = async ({ data, replace }: RegisterOptions): Promise<void> => {
  if (replace) return;
  const credential = await readCredential(data).catch(() => 'unreadable' as const);
  if (credential === undefined) return;
  const which = credential === 'unreadable' ? 'A runner' : `A runner of ${credential.server}`;
  throw new UsageError(
    `${which} is already registered in ${data}. Choose another folder with --data, or give --replace to replace its credential.`,
  );
};

/** Removes the folders from `folder` up to `first`, unless they have files. */
const removeEmpty = (folder: string, first: string): void => {
  try {
    rmdirSync(folder);
    if (folder !== first) removeEmpty(dirname(folder), first);
  } catch {
    // The folder has files of others.
  }
};

/**
 * Registers this machine as a runner, and stores its credential.
 * @throws UsageError, NotRegistered, and what `lock` throws
 */
export const registerCommand = async (options: RegisterOptions, deps: Deps): Promise<void> => {
  const { server, data } = options;
  const [token, ca] = [
    await readToken(options.token, deps.stdin),
    options.caFile === undefined ? '' : await readText(options.caFile, 'certificate'),
  ];
  const firstCreated = mkdirSync(data, { recursive: true, mode: 0o700 });
  // The lock also proves that the folder is writable, before the token is used.
  const unlock = deps.lock(data);
  let isRegistered = false;
  try {
    await refuseReplacement(options);
    if (server.startsWith('http:') && !isOnThisMachine(server))
      deps.print(`Warning: ${server} is not encrypted: others on the network can read the tokens. Use https.\n`);
    const { name, description, ephemeral } = options;
    const registration = { token, name, host_name: hostname(), description, ephemeral };
    const registered = await registerRunner(server, registration, { proxy: deps.proxy, ca });
    await writeCredential(data, {
      server,
      name: registered.name,
      token: registered.token,
      ca,
      ephemeral: options.ephemeral,
      earlier: [],
    }).catch((error: Error) => {
      throw new NotRegistered(
        `The runner ${registered.name} was registered, but ${credentialFile(data)} cannot be written: ${error.message}. Remove the runner in the console, and register again.`,
      );
    });
    isRegistered = true;
    deps.print(
      `Registered the runner ${registered.name} at ${server}.\nStart it:\n\n  ${startCommand(data, deps.path)}\n`,
    );
  } finally {
    unlock();
    if (firstCreated !== undefined && !isRegistered) removeEmpty(data, firstCreated);
  }
};
