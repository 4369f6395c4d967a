import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Access } from '@signalbox/contract/link';
import { PreparationFault } from '../prepare/preparation-fault.ts';
import { runProgram } from '../process/program.ts';
import type { RepositoryAddress } from './repository-address.ts';

/** One argument of a command line that git gives to a shell. */
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** A program that answers git's and ssh's questions from files, so that no secret is in an argument or the environment. */
const askProgram = (folder: string) => `#!/bin/sh
case "$1" in
  [Uu]sername*) exec cat ${quoted(join(folder, 'login'))} ;;
  *) exec cat ${quoted(join(folder, 'password'))} ;;
esac
`;

const writeAskProgram = async (folder: string, login: string, password: string): Promise<string> => {
  const path = join(folder, 'ask');
  await writeFile(join(folder, 'login'), login, { mode: 0o600 });
  await writeFile(join(folder, 'password'), password, { mode: 0o600 });
  await writeFile(path, askProgram(folder), { mode: 0o700 });
  return path;
};

/**
 * Writes a private key into `folder` (made with mode 0700) as a file that ssh can use without asking: a passphrase is
 * taken off there, since whoever could read the key could read the passphrase beside it.
 */
export const writePrivateKey = async (
  folder: string,
  key: { private_key: string; passphrase: string },
  env: Record<string, string>,
  signal: AbortSignal,
): Promise<string> => {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, 'key');
  await writeFile(path, `${key.private_key.replaceAll('\r\n', '\n').trimEnd()}\n`, { mode: 0o600 });
  if (key.passphrase === '') return path;
  const ask = await writeAskProgram(folder, '', key.passphrase);
  const end = await runProgram('ssh-keygen', ['-q', '-p', '-N', '', '-f', path], {
    env: { ...env, SSH_ASKPASS: ask, SSH_ASKPASS_REQUIRE: 'force', DISPLAY: ':0' },
    timeoutMs: 20_000,
    signal,
  });
  if (end.code !== 0)
    throw new PreparationFault('preparation', 'The passphrase of the ssh key is wrong, or the key is damaged.');
  return path;
};

/** The options of ssh for all that we connect to: never ask, trust a host the first time, then only that host key. */
export const sshOptions = (knownHosts: string): string[] => [
  '-o',
  'BatchMode=yes',
  '-o',
  'StrictHostKeyChecking=accept-new',
  '-o',
  `UserKnownHostsFile="${knownHosts}"`,
];

/** The variables that give git what it needs to reach one repository. Writes files into `folder`. */
export const gitAccess = async (
  address: RepositoryAddress,
  access: Access,
  options: { folder: string; knownHosts: string; env: Record<string, string>; signal: AbortSignal },
): Promise<Record<string, string>> => {
  if (address.type !== 'remote') return { GIT_ALLOW_PROTOCOL: 'file' };
  const { folder } = options;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if (address.protocol === 'ssh') {
    const ssh = ['ssh', ...sshOptions(options.knownHosts)];
    if (access.type === 'ssh') {
      const key = await writePrivateKey(folder, access, options.env, options.signal);
      ssh.push('-i', key, '-o', 'IdentitiesOnly=yes');
      if (access.login !== '' && address.user === '') ssh.push('-o', `User=${access.login}`);
    }
    return { GIT_ALLOW_PROTOCOL: 'ssh', GIT_SSH_COMMAND: ssh.map(quoted).join(' '), GIT_SSH_VARIANT: 'ssh' };
  }
  const [login, password] =
    access.type === 'login_password'
      ? [access.login || address.user, access.password]
      : [address.user, address.password];
  if (login === '' && password === '') return { GIT_ALLOW_PROTOCOL: address.protocol };
  return { GIT_ALLOW_PROTOCOL: address.protocol, GIT_ASKPASS: await writeAskProgram(folder, login, password) };
};
