import { mkdir, rm } from 'node:fs/promises';
import type { Access } from '@signalbox/contract/link';
import { quoted, writeLoginProgram } from '../access/ask-program.ts';
import { type SshConfig, sshConfig } from '../access/ssh-config.ts';
import { type OpenKey, openSshKey } from '../access/ssh-key.ts';
import { writeSecretFile } from '../prepare/secret-files.ts';
import type { RemoteAddress, RepositoryAddress } from './repository-address.ts';

export interface GitAccessOptions {
  /** For what git needs only while it reaches the repository; removed by `close`. */
  folder: string;
  hostKeys: Pick<SshConfig, 'policy' | 'knownHosts'>;
  env: Record<string, string>;
  signal: AbortSignal;
}

/** The way to one repository, open until it is closed. */
export interface GitAccess {
  /** The variables that git needs on top. */
  env: Record<string, string>;
  /** Ends the agent of the repository's key and removes what was written. */
  close(): Promise<void>;
}

/** What a repository may lead git to, when it names other repositories. A machine's own files are not among it. */
const REMOTE_PROTOCOLS = ['https', 'ssh'];

const protocols = (address: RemoteAddress) => [...new Set([address.protocol, ...REMOTE_PROTOCOLS])].join(':');

/** What is open for one repository: variables, and what is to be ended. */
interface Login {
  env: Record<string, string>;
  key?: OpenKey;
  user?: string;
}

const login = async (address: RepositoryAddress, access: Access, options: GitAccessOptions): Promise<Login> => {
  if (address.type !== 'remote') return { env: {} };
  if (address.protocol === 'ssh') {
    if (access.type !== 'ssh') return { env: {} };
    const key = await openSshKey(access, options);
    return { env: {}, key, ...(access.login !== '' && address.user === '' ? { user: access.login } : {}) };
  }
  const [name, password] =
    access.type === 'login_password'
      ? [access.login || address.user, access.password]
      : [address.user, address.password];
  if (name === '' && password === '') return { env: {} };
  return { env: { GIT_ASKPASS: await writeLoginProgram(options.folder, address.origin, name, password) } };
};

/**
 * Opens the way to a repository. An ssh key is in an agent of its own, a password in files of mode 0600, both until the
 * access is closed. Over ssh the policy of host keys holds for every host, also those of submodules.
 * @throws PreparationFault in one sentence
 */
export const gitAccess = async (
  address: RepositoryAddress,
  access: Access,
  options: GitAccessOptions,
): Promise<GitAccess> => {
  const { folder, hostKeys } = options;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { env, key, user } = await login(address, access, options);
  const text = sshConfig({ ...hostKeys, socket: key?.socket, include: undefined });
  const ssh = ['ssh', '-F', await writeSecretFile(folder, 'config', text), '-o', 'BatchMode=yes'];
  if (user !== undefined) ssh.push('-o', `User=${user}`);
  return {
    env: {
      ...env,
      GIT_ALLOW_PROTOCOL: address.type === 'remote' ? protocols(address) : 'file',
      GIT_SSH_COMMAND: ssh.map(quoted).join(' '),
      GIT_SSH_VARIANT: 'ssh',
    },
    close: async () => {
      await key?.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
};
