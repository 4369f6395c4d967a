import type { Access } from '@signalbox/contract/link';
import type { WritableFolder } from '../files/writable-folder.ts';
import type { ProcessUser } from '../process/user.ts';
import { quoted, writeLoginProgram } from '../ssh/askpass-program.ts';
import { type SshConfig, sshConfig } from '../ssh/ssh-config.ts';
import { type OpenKey, openSshKey, socketIn } from '../ssh/ssh-key.ts';
import type { RemoteAddress, RepositoryAddress } from './repository-address.ts';

export interface GitAccessOptions {
  /** For what git needs only while it reaches the repository; to be removed once the access is closed. */
  folder: WritableFolder;
  hostKeys: Pick<SshConfig, 'policy' | 'knownHosts'>;
}

export interface OpenOptions {
  /** For what nobody but this process may see; it is gone when the key is open. */
  privately: string;
  env: Record<string, string>;
  signal: AbortSignal;
  user?: ProcessUser | undefined;
}

/** The way to one repository, open until it is closed. */
export interface GitAccess {
  /** The variables that git needs on top. */
  env: Record<string, string>;
  /** Starts the agent of the repository's key, if it has one; what was written may be given to another user before. */
  open(options: OpenOptions): Promise<void>;
  /** Ends that agent. */
  close(): Promise<void>;
}

/** What a repository may lead git to, when it names other repositories. A machine's own files are not among it. */
const REMOTE_PROTOCOLS = ['https', 'ssh'];

const protocols = (own: string) => [...new Set([own, ...REMOTE_PROTOCOLS])].join(':');

const loginOf = (address: RemoteAddress, access: Access): [name: string, password: string] =>
  access.type === 'login_password' ? [access.login || address.user, access.password] : [address.user, address.password];

/** What git asks for a login and a password over https. */
const askVariables = async (
  address: RepositoryAddress,
  access: Access,
  folder: WritableFolder,
): Promise<Record<string, string>> => {
  if (address.type !== 'remote' || address.protocol === 'ssh') return {};
  const [name, password] = loginOf(address, access);
  if (name === '' && password === '') return {};
  return { GIT_ASKPASS: await writeLoginProgram(folder, address.origin, name, password) };
};

/**
 * Writes what git needs to reach a repository. An ssh key is in an agent of its own, a password in files of mode 0600, both
 * for as long as the access is open. Over ssh the policy of host keys holds for every host, also those of submodules.
 */
export const gitAccess = async (
  address: RepositoryAddress,
  access: Access,
  { folder, hostKeys }: GitAccessOptions,
): Promise<GitAccess> => {
  await folder.create();
  const key = address.type === 'remote' && address.protocol === 'ssh' && access.type === 'ssh' ? access : undefined;
  const text = sshConfig({ ...hostKeys, socket: key && socketIn(folder.path), include: undefined });
  const ssh = ['ssh', '-F', await folder.write('config', text), '-o', 'BatchMode=yes'];
  if (key && key.login !== '' && address.type === 'remote' && address.user === '') ssh.push('-l', key.login);
  let opened: OpenKey | undefined;
  return {
    env: {
      ...(await askVariables(address, access, folder)),
      GIT_ALLOW_PROTOCOL: protocols(address.type === 'remote' ? address.protocol : 'file'),
      GIT_SSH_COMMAND: ssh.map(quoted).join(' '),
      GIT_SSH_VARIANT: 'ssh',
    },
    open: async (options) => {
      if (key) opened = await openSshKey(key, { ...options, folder: folder.path });
    },
    close: async () => {
      await opened?.close();
    },
  };
};
