import type { HostKeyPolicy } from './host-keys.ts';

export interface SshConfig {
  policy: HostKeyPolicy;
  /** Files of host keys; new keys are added to the first. */
  knownHosts: readonly string[];
  /** The agent of the run's key; undefined uses the configuration of the runner's user. */
  socket: string | undefined;
  /** Absolute path of the repository's own configuration, which replaces that of the machine. */
  include: string | undefined;
}

/** A path in the syntax of ssh's configuration: quoted, and with percent signs escaped. */
const path = (text: string) => `"${text.replaceAll('%', '%%')}"`;

const hostKeys = ({ policy, knownHosts }: SshConfig) => [
  `  StrictHostKeyChecking ${policy === 'strict' ? 'yes' : 'accept-new'}`,
  `  UserKnownHostsFile ${knownHosts.map(path).join(' ')}`,
  '  HashKnownHosts no',
];

/**
 * The configuration of ssh for one run. As a file it also applies to jump hosts, and arguments of the repository or an
 * inventory take precedence. Of several values ssh uses the first.
 */
export const sshConfig = (config: SshConfig): string => {
  const key =
    config.socket === undefined
      ? []
      : [`  IdentityAgent ${path(config.socket)}`, '  IdentitiesOnly no', '  IdentityFile none'];
  return [
    'Host *',
    ...key,
    // Open connections belong to one run, which sets their folder on the command line.
    '  ControlPath none',
    ...(config.policy === 'strict' ? hostKeys(config) : []),
    `Include ${config.include === undefined ? '~/.ssh/config' : `"${config.include}"`}`,
    'Host *',
    ...hostKeys(config),
    ...(config.include === undefined ? ['Include /etc/ssh/ssh_config'] : []),
    '',
  ].join('\n');
};
