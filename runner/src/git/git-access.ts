import type { Access } from '@signalbox/contract/link';
import type { WritableFolder } from '../files/writable-folder.ts';
import type { ProcessUser } from '../process/user.ts';
import { quoted, writeLoginProgram } from '../ssh/askpass-program.ts';
import { type SshConfig, sshConfig } from '../ssh/ssh-config.ts';
import { type OpenKey, openSshKey, socketIn } from '../ssh/ssh-key.ts';
import type { RemoteAddress, RepositoryAddress } from './repository-address.ts';

export interface GitAccessOptions {
  /** For files that git needs while it accesses the repository. The caller removes the folder after `close`. */
  folder: WritableFolder;
  hostKeys: Pick<SshConfig, 'policy' | 'knownHosts'>;
}

export interface OpenOptions {
  /** A folder for what only the runner may read. It is removed when the key is open. */
  privately: string;
  env: Record<string, string>;
  signal: AbortSignal;
  user?: ProcessUser | undefined;
}

/** Access to one repository, until it is closed. */
export interface GitAccess {
  /** Additional variables for git. */
  env: Record<string, string>;
  /** Starts the agent with the key of the repository, if it has one. The files may belong to a run user already. */
  open(options: OpenOptions): Promise<void>;
  /** Ends that agent. */
  close(): Promise<void>;
}

/** Protocols of other repositories that a repository may refer to. Files of this machine are not among them. */
const REMOTE_PROTOCOLS = ['https', 'ssh'];

const protocols = (own: string) => [...new Set([own, ...REMOTE_PROTOCOLS])].join(':');

const loginOf = (address: RemoteAddress, access: Access): [name: string, password: string] =>
  access.type === 'login_password' ? [access.login || address.user, access.password] : [address.user, address.password];

/** The variables with which git gets login and password for https. */
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
 * Writes what git needs to access a repository. An ssh key is in a separate agent, a password in files of mode 0600, both until
 * the access is closed. The host key policy applies to every host, also those of submodules.
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
