import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

export const REGISTER_USAGE = `Usage: signalbox runner register --url URL [options]

Registers this machine as a runner, and stores its credential in the data folder of the runner.

  --url URL           address of the server; default: SIGNALBOX_SERVER
  --token TOKEN       registration token. Other users of this machine can see it in the list of processes:
                      prefer --token-file or SIGNALBOX_REGISTRATION_TOKEN
  --token-file FILE   file with the registration token; - for standard input
  --name NAME         name of the runner; default: name of this machine, with a number if it is taken
  --description TEXT  what the runner is for, such as its network
  --data FOLDER       data folder of the runner; default: SIGNALBOX_RUNNER_DATA
  --ca FILE           certificate of a private authority that issued the certificate of the server, in PEM
  --ephemeral         the runner takes one task and ends, and the server then deletes it
  --replace           replace the credential of a runner that is already registered in the data folder
`;

/** The options are wrong. The message can be shown. */
export class UsageError extends Error {}

export interface RegisterOptions {
  /** Address of the server, without a trailing slash. */
  readonly server: string;
  readonly token: { readonly text: string } | { readonly file: string };
  readonly name: string | null;
  readonly description: string;
  readonly data: string;
  readonly caFile: string | undefined;
  readonly replace: boolean;
  readonly ephemeral: boolean;
}

export type Variables = Readonly<Record<string, string | undefined>>;

const OPTIONS = {
  url: { type: 'string' },
  token: { type: 'string' },
  'token-file': { type: 'string' },
  name: { type: 'string' },
  description: { type: 'string' },
  data: { type: 'string' },
  ca: { type: 'string' },
  replace: { type: 'boolean', default: false },
  ephemeral: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

const parse = (args: readonly string[]) => {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, strict: true, allowPositionals: false }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
};

const serverOf = (url: string | undefined): string => {
  if (url === undefined || url === '') throw new UsageError('--url is required: the http(s) address of the server.');
  const parsed = URL.parse(url);
  if (parsed === null || !/^https?:$/.test(parsed.protocol))
    throw new UsageError(`--url must be an http(s) address, not ${url}.`);
  if (parsed.username !== '' || parsed.password !== '' || parsed.search !== '' || parsed.hash !== '')
    throw new UsageError('--url must be the address of the server only, without a user, a query or a fragment.');
  return parsed.href.replace(/\/+$/, '');
};

const tokenOf = (
  { token, 'token-file': file }: { token?: string | undefined; 'token-file'?: string | undefined },
  environment: Variables,
): RegisterOptions['token'] => {
  if (token !== undefined && file !== undefined) throw new UsageError('Give --token or --token-file, not both.');
  if (file !== undefined) return { file };
  const text = token ?? environment.SIGNALBOX_REGISTRATION_TOKEN ?? '';
  if (text === '') throw new UsageError('--token-file or SIGNALBOX_REGISTRATION_TOKEN is required.');
  return { text };
};

/**
 * Reads the options of `signalbox runner register`. Returns `help` when they ask for the usage.
 * @throws UsageError
 */
export const readRegisterOptions = (args: readonly string[], environment: Variables): RegisterOptions | 'help' => {
  const values = parse(args);
  if (values.help) return 'help';
  const data = values.data ?? environment.SIGNALBOX_RUNNER_DATA ?? '';
  if (data === '') throw new UsageError('--data or SIGNALBOX_RUNNER_DATA is required: the data folder of the runner.');
  return {
    server: serverOf(values.url ?? environment.SIGNALBOX_SERVER),
    token: tokenOf(values, environment),
    name: values.name ?? null,
    description: values.description ?? '',
    data: resolve(data),
    caFile: values.ca,
    replace: values.replace,
    ephemeral: values.ephemeral,
  };
};
