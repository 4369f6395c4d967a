import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { PreparationError } from '../../errors/preparation-error.ts';
import { findProgram } from '../../process/find-program.ts';
import { RUN_MARKER } from '../../process/process-table.ts';
import type { Preparation, RunnerContext } from '../../runs/preparation/prepare-run.ts';
import type { HostKeys } from '../../ssh/host-keys.ts';
import { type SshConfig, sshConfig } from '../../ssh/ssh-config.ts';
import { endAgents, openSshKey, socketIn } from '../../ssh/ssh-key.ts';
import { writeSecretFile } from '../../workspace/job-secrets.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { SshEnvironment } from './process-environment.ts';
import { ARGUMENT_SETTINGS, type ArgumentSettings, quotedWord, takeOwn } from './ssh-arguments.ts';

/**
 * The arguments of ssh, made from those that the repository or the template gives. Ours go behind them, as a file of
 * configuration; only under a strict policy they go before them.
 */
export const sshArguments = (rest: string, file: string, config: Pick<SshConfig, 'policy' | 'knownHosts'>): string => {
  const knownHosts = config.knownHosts.map((path) => `"${path.replaceAll('%', '%%')}"`).join(' ');
  const first =
    config.policy === 'strict'
      ? ['-o StrictHostKeyChecking=yes', `-o ${quotedWord(`UserKnownHostsFile=${knownHosts}`)}`]
      : [];
  return [...first, rest, '-F', quotedWord(file)].filter((part) => part !== '').join(' ');
};

/** Where the connections of a run have their sockets, and ssh its configuration. */
const connectionFolder = (place: Workspace): string => join(place.secrets, 'ssh');

/** What ssh is given when neither the repository nor the template says anything: Ansible's own. */
const DEFAULT_ARGUMENTS = '-C -o ControlMaster=auto -o ControlPersist=60s';

/** Says what is known to go wrong, or refuses what cannot work. */
const checkAccess = ({ order, log }: Preparation, workshop: RunnerContext): void => {
  const { access, become } = order.inventory;
  if (become?.type === 'ssh') {
    throw new PreparationError('preparation', 'An ssh key cannot be used to become another user.', {
      code: 'key.not_for_become',
      params: {},
    });
  }
  if (access.type !== 'login_password' || access.password === '') return;
  if (findProgram('sshpass', workshop.base.PATH ?? '') !== undefined) return;
  // Hosts may be reached in other ways, and only Ansible knows which.
  log.line('sshpass is not installed on the runner: hosts that are reached over ssh with this password will fail.');
};

/**
 * Writes how the ssh of a run reaches hosts: with which host keys and which agent. Before the place is handed over.
 * @param given the arguments that the template's environment or the repository's ansible.cfg names
 * @throws PreparationFault in one sentence
 */
export const writeConnection = async (
  run: Preparation,
  workshop: RunnerContext,
  given: ArgumentSettings,
): Promise<SshEnvironment> => {
  checkAccess(run, workshop);
  const { order, folder } = run;
  const { workspace: place } = folder;
  const { hostKeys } = workshop;
  const texts = { ssh_args: DEFAULT_ARGUMENTS, ...given };
  const taken = ARGUMENT_SETTINGS.flatMap((name) => {
    const text = texts[name];
    return text === undefined ? [] : [{ name, ...takeOwn(text, name) }];
  });
  // ssh takes the last one, and is given the settings in this order.
  const own = taken.findLast(({ file }) => file !== undefined)?.file;
  const base = connectionFolder(place);
  await mkdir(base, { recursive: true, mode: 0o700 });
  const socket = order.inventory.access.type === 'ssh' ? socketIn(base) : undefined;
  const config: SshConfig = {
    policy: hostKeys.policy,
    knownHosts: place.user
      ? [await hostKeys.copyFor(order.project_id, join(base, COPY))]
      : hostKeys.filesOf(order.project_id),
    socket,
    include: own === undefined ? undefined : resolve(place.checkout, own),
  };
  const file = await writeSecretFile(base, 'config', sshConfig(config));
  const isStrict = hostKeys.policy === 'strict';
  const variables = taken.map(({ name, rest }) => [
    `ANSIBLE_${name.toUpperCase()}`,
    name === 'ssh_args' ? sshArguments(rest, file, config) : rest,
  ]);
  return { socket, folder: base, arguments: Object.fromEntries(variables), isStrict };
};

/** The host keys as the user of the run has them. */
const COPY = 'known-hosts';

/**
 * Opens the ssh key of a run in an agent that ends with the run. After the place was handed over.
 * @throws PreparationFault in one sentence
 */
export const openConnection = async (
  { order, folder, marker, signal }: Preparation,
  workshop: RunnerContext,
): Promise<void> => {
  const { access } = order.inventory;
  if (access.type !== 'ssh') return;
  const env = { ...workshop.base, [RUN_MARKER]: marker };
  const { workspace: place } = folder;
  const privately = folder.file('open');
  await openSshKey(access, { folder: connectionFolder(place), privately, env, signal, user: place.user });
};

/**
 * Ends the run's agent and the connections that Ansible has kept, whoever started them, and keeps the host keys that the
 * run has seen first.
 */
export const closeConnection = async (place: Workspace, hostKeys: HostKeys, projectId: number): Promise<void> => {
  const folder = connectionFolder(place);
  try {
    await endAgents(folder);
  } finally {
    if (place.user) await hostKeys.takeFrom(projectId, join(folder, COPY));
  }
};
