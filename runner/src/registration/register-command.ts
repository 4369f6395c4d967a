import { mkdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { text as readStream } from 'node:stream/consumers';
import { credentialFile, readCredential, writeCredential } from '../link/credential.ts';
import { type RegisterOptions, UsageError } from './register-options.ts';
import { NotRegistered, registerRunner } from './register-runner.ts';

interface Deps {
  /** Variables that name the proxy. */
  readonly proxy: Readonly<Record<string, string>>;
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
  mkdirSync(data, { recursive: true, mode: 0o700 });
  // The lock also proves that the folder is writable, before the token is used.
  const unlock = deps.lock(data);
  try {
    await refuseReplacement(options);
    if (server.startsWith('http:') && !isOnThisMachine(server))
      deps.print(`Warning: ${server} is not encrypted: others on the network can read the tokens. Use https.\n`);
    const { name, description, ephemeral } = options;
    const registration = { token, name, host_name: hostname(), description, ephemeral };
    const registered = await registerRunner(server, registration, { proxy: deps.proxy, ca });
    await writeCredential(data, {
      server,
      token: registered.token,
      ca,
      ephemeral: options.ephemeral,
      earlier: [],
    }).catch((error: Error) => {
      throw new NotRegistered(
        `The runner ${registered.name} was registered, but ${credentialFile(data)} cannot be written: ${error.message}. Remove the runner in the console, and register again.`,
      );
    });
    deps.print(
      `Registered the runner ${registered.name} at ${server}.\nStart it:\n\n  SIGNALBOX_RUNNER_DATA=${data} signalbox runner\n`,
    );
  } finally {
    unlock();
  }
};
