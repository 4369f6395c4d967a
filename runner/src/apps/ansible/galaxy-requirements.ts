import { join } from 'node:path';
import type { ReadyEnvironment } from '../../environments/environment.ts';
import { gitEnvironment } from '../../git/git.ts';
import { type GitAccess, gitAccess } from '../../git/git-access.ts';
import { parseRepositoryUrl } from '../../git/repository-address.ts';
import { secretsOfUrl } from '../../git/source-secrets.ts';
import { RUN_MARKER } from '../../process/process-table.ts';
import type { Preparation } from '../../workspace/preparation.ts';
import type { OwnedWorkspace, ReleasedWorkspace } from '../../workspace/workspace.ts';
import { readOwnConfig } from './ansible-config.ts';
import type { AnsibleJob } from './ansible-job.ts';
import type { GalaxyCache } from './galaxy.ts';
import { findRequirements, type Requirements } from './requirements.ts';

const FOLDER = 'galaxy';

/**
 * The protocols of repositories that roles and collections may come from. Paths on this machine were checked when the
 * requirements were read.
 */
const GALAXY_PROTOCOLS = 'https:ssh:http:git:file';

/** Requirements that are to be installed, with the access to their repositories. */
export interface FoundRequirements {
  list: Requirements[];
  access: GitAccess;
  source: string;
}

/**
 * Distinguishes requirements with the same names. A key opens repositories that other projects may not read, an ansible.cfg
 * names the servers to install from, and an execution environment other than the system has an ansible-galaxy that a project
 * chose: without the difference, a project could replace a role of all other projects.
 */
const sourceOf = ({ project_id, repository, execution_environment }: AnsibleJob, checkout: string): string => {
  const { url, access } = repository;
  const hasKey = access.type !== 'none' || secretsOfUrl(url).some((secret) => secret !== '');
  const isOfProject = hasKey || execution_environment.kind !== 'system';
  return JSON.stringify([isOfProject ? project_id : null, execution_environment, readOwnConfig(checkout) ?? null]);
};

/**
 * Finds the requirements of a playbook, and writes what git needs to reach them: the same as for the repository itself.
 * @returns undefined if there are none
 */
export const writeRequirementAccess = async (
  { job, context, log }: Preparation<AnsibleJob>,
  { paths, secrets }: OwnedWorkspace,
  playbook: string,
): Promise<FoundRequirements | undefined> => {
  const list = findRequirements(paths.checkout, playbook, context.roots);
  if (list.length === 0) return undefined;
  log.line(`Requirements: ${[...new Set(list.map(({ name }) => name))].join(', ')}`);
  const address = parseRepositoryUrl(job.repository.url, context.roots);
  const { hostKeys } = context;
  const folder = await secrets.folder(FOLDER).create();
  const knownHosts =
    paths.user || job.execution_environment.kind === 'container'
      ? [await hostKeys.copyFor(job.project_id, folder, 'known-hosts')]
      : hostKeys.filesOf(job.project_id);
  const access = await gitAccess(address, job.repository.access, {
    folder,
    hostKeys: { policy: hostKeys.policy, knownHosts },
  });
  return { list, access, source: sourceOf(job, paths.checkout) };
};

/** Installs requirements. @returns the folder with `roles` and `collections` */
export const installRequirements = async (
  { context, log, marker, signal, privateFolder, recordUse }: Preparation<AnsibleJob>,
  workspace: ReleasedWorkspace,
  { list, access, source }: FoundRequirements,
  { galaxy, environment }: { readonly galaxy: GalaxyCache; readonly environment: ReadyEnvironment },
): Promise<string> => {
  const { paths } = workspace;
  const env = { ...gitEnvironment(paths.environment(context.base), '/dev/null'), [RUN_MARKER]: marker };
  try {
    const { folder: installed, isNew } = await galaxy.install(list, {
      base: context.base,
      env: {
        ...env,
        ...access.env,
        GIT_ALLOW_PROTOCOL: GALAXY_PROTOCOLS,
        GIT_CONFIG_COUNT: '1',
        GIT_CONFIG_KEY_0: 'safe.directory',
        GIT_CONFIG_VALUE_0: '*',
        PYTHONUNBUFFERED: '1',
        // A repository's `cowsay` setting could run a program outside the supervisor.
        ANSIBLE_NOCOWS: '1',
        ANSIBLE_LOCAL_TEMP: paths.temporary,
      },
      signal,
      environment,
      checkout: paths.checkout,
      source,
      user: paths.user,
      open: () => access.open({ privately: privateFolder, env, signal, user: paths.user }),
      log,
    });
    await recordUse(installed);
    if (!isNew) log.line('Requirements are installed already.');
    return installed;
  } finally {
    await access.close();
    await workspace.remove(join(paths.secrets, FOLDER));
  }
};
