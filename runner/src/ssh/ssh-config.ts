import type { HostKeyPolicy } from './host-keys.ts';

export interface SshConfig {
  policy: HostKeyPolicy;
  /** Files of host keys; new ones go into the first. */
  knownHosts: readonly string[];
  /** The agent of the run's key; undefined means that ssh does what it does for the runner's user. */
  socket: string | undefined;
  /** A configuration of the repository's own, by its absolute path, that takes the place of the machine's. */
  include: string | undefined;
}

/** A path as ssh's configuration writes it: quoted, and no percent sign of it is read as a token. */
const path = (text: string) => `"${text.replaceAll('%', '%%')}"`;

const hostKeys = ({ policy, knownHosts }: SshConfig) => [
  `  StrictHostKeyChecking ${policy === 'strict' ? 'yes' : 'accept-new'}`,
  `  UserKnownHostsFile ${knownHosts.map(path).join(' ')}`,
  '  HashKnownHosts no',
];

/**
 * The configuration of ssh for one run. As a file it also counts for the hosts that ssh jumps over, and what the
 * repository or an inventory gives as arguments goes before it. Of several values ssh takes the first.
 */
export const sshConfig = (config: SshConfig): string => {
  const key =
    config.socket === undefined
      ? []
      : [`  IdentityAgent ${path(config.socket)}`, '  IdentitiesOnly no', '  IdentityFile none'];
  return [
    'Host *',
    ...key,
    // Connections that are kept belong to one run, which says on the command line where.
    '  ControlPath none',
    ...(config.policy === 'strict' ? hostKeys(config) : []),
    `Include ${config.include === undefined ? '~/.ssh/config' : `"${config.include}"`}`,
    'Host *',
    ...hostKeys(config),
    ...(config.include === undefined ? ['Include /etc/ssh/ssh_config'] : []),
    '',
  ].join('\n');
};
