import { join } from 'node:path';
import type { Access } from '@signalbox/contract/link';
import { RUN_MARKER } from '../process/process-table.ts';
import type { HostKeys } from '../ssh/host-keys.ts';
import { endAgents, openSshKey } from '../ssh/ssh-key.ts';
import type { Preparation } from './preparation.ts';
import type { OwnedWorkspace, ReleasedWorkspace, Workspace } from './workspace.ts';

const FOLDER = 'ssh';
/** The copy of the host keys that a run user or a container can read and extend. */
const COPY = 'known-hosts';

/** The folder with the ssh configuration and the sockets of a run. */
export const connectionFolder = ({ secrets }: OwnedWorkspace) => secrets.folder(FOLDER);

const pathOf = ({ secrets }: Workspace): string => join(secrets, FOLDER);

/** The files of host keys for the ssh of a run. */
export const knownHostsFor = async (
  { job, context: { hostKeys } }: Preparation,
  owned: OwnedWorkspace,
): Promise<string[]> =>
  owned.paths.user || job.execution_environment.kind === 'container'
    ? [await hostKeys.copyFor(job.project_id, connectionFolder(owned), COPY)]
    : hostKeys.filesOf(job.project_id);

/**
 * Opens an ssh key in an agent that ends with the run.
 * @throws PreparationError
 */
export const openConnection = async (
  { context, marker, signal, privateFolder }: Preparation,
  { paths }: ReleasedWorkspace,
  access: Access,
): Promise<void> => {
  if (access.type !== 'ssh') return;
  const env = { ...context.base, [RUN_MARKER]: marker };
  await openSshKey(access, { folder: pathOf(paths), privately: privateFolder, env, signal, user: paths.user });
};

/**
 * Ends the agent of a run and the ssh connections that Ansible keeps open, whichever process started them. Then keeps the
 * host keys that the run has seen for the first time.
 */
export const closeConnection = async (workspace: Workspace, hostKeys: HostKeys, projectId: number): Promise<void> => {
  const folder = pathOf(workspace);
  try {
    await endAgents(folder);
  } finally {
    // There is a copy only for a run that must not reach the files of the runner.
    await hostKeys.addKeysFrom(projectId, join(folder, COPY));
  }
};
