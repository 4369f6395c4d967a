import { resolve } from 'node:path';
import type { ReadyEnvironment } from '../../environments/environment.ts';
import { PreparationError } from '../../errors/preparation-error.ts';
import { type SshConfig, sshConfig } from '../../ssh/ssh-config.ts';
import { socketIn } from '../../ssh/ssh-key.ts';
import { connectionFolder, knownHostsFor } from '../../workspace/host-connection.ts';
import type { Preparation } from '../../workspace/preparation.ts';
import type { OwnedWorkspace } from '../../workspace/workspace.ts';
import type { AnsibleJob } from './ansible-job.ts';
import type { SshEnvironment } from './process-environment.ts';
import { ARGUMENT_SETTINGS, type ArgumentSettings, quoteArgument, removeRunOptions } from './ssh-arguments.ts';

/**
 * The arguments of ssh, made from those of the repository or the template. The arguments of the run follow as a configuration
 * file; under the strict policy they come first.
 */
export const sshArguments = (rest: string, file: string, config: Pick<SshConfig, 'policy' | 'knownHosts'>): string => {
  const knownHosts = config.knownHosts.map((path) => `"${path.replaceAll('%', '%%')}"`).join(' ');
  const first =
    config.policy === 'strict'
      ? ['-o StrictHostKeyChecking=yes', `-o ${quoteArgument(`UserKnownHostsFile=${knownHosts}`)}`]
      : [];
  return [...first, rest, '-F', quoteArgument(file)].filter((part) => part !== '').join(' ');
};

/** The arguments of ssh if neither the repository nor the template sets any: the defaults of Ansible. */
const DEFAULT_ARGUMENTS = '-C -o ControlMaster=auto -o ControlPersist=60s';

/** Refuses keys that cannot work. */
const checkAccess = ({ job }: Preparation<AnsibleJob>): void => {
  if (job.inventory.become?.type === 'ssh') {
    throw new PreparationError('preparation', 'An ssh key cannot be used to become another user.', {
      code: 'key.not_for_become',
      params: {},
    });
  }
};

/** Warns in the log if the execution environment has no program that gives passwords to ssh. */
export const warnOfMissingSshpass = ({ job, log }: Preparation<AnsibleJob>, environment: ReadyEnvironment): void => {
  const { access } = job.inventory;
  if (access.type !== 'login_password' || access.password === '') return;
  try {
    environment.program('sshpass');
  } catch {
    // Only Ansible knows whether hosts are reached over ssh.
    log.line('sshpass is not installed on the runner: hosts that are reached over ssh with this password will fail.');
  }
};

/**
 * Writes the ssh configuration of a run: the host keys to trust and the agent to use.
 * @param given the arguments from the template's environment or the repository's ansible.cfg
 * @throws PreparationError
 */
export const writeConnection = async (
  run: Preparation<AnsibleJob>,
  owned: OwnedWorkspace,
  given: ArgumentSettings,
): Promise<SshEnvironment> => {
  checkAccess(run);
  const { job, context } = run;
  const { policy } = context.hostKeys;
  const texts = { ssh_args: DEFAULT_ARGUMENTS, ...given };
  const taken = ARGUMENT_SETTINGS.flatMap((name) => {
    const text = texts[name];
    return text === undefined ? [] : [{ name, ...removeRunOptions(text, name) }];
  });
  // ssh gets the settings in this order and uses the last configuration file.
  const own = taken.findLast(({ file }) => file !== undefined)?.file;
  const folder = await connectionFolder(owned).create();
  const socket = job.inventory.access.type === 'ssh' ? socketIn(folder.path) : undefined;
  const config: SshConfig = {
    policy,
    knownHosts: await knownHostsFor(run, owned),
    socket,
    include: own === undefined ? undefined : resolve(owned.paths.checkout, own),
  };
  const file = await folder.write('config', sshConfig(config));
  const variables = taken.map(({ name, rest }) => [
    `ANSIBLE_${name.toUpperCase()}`,
    name === 'ssh_args' ? sshArguments(rest, file, config) : rest,
  ]);
  return { socket, folder: folder.path, arguments: Object.fromEntries(variables), isStrict: policy === 'strict' };
};
