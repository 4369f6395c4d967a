import { basename, dirname, join } from 'node:path';
import { secretsOfAccess } from '../../git/source-secrets.ts';
import { findProgram, interpreterOf } from '../../process/find-program.ts';
import type { App, AppSetup } from '../app.ts';
import type { AnsibleJob } from './ansible-job.ts';
import { ansibleVersion } from './ansible-version.ts';
import { exitLine, exitReason } from './exit.ts';
import { GalaxyCache } from './galaxy.ts';
import { hostKeyHints } from './host-key-hints.ts';
import { inventoryHosts } from './inventory-hosts.ts';
import { checkPlaybook, preparePlaybook } from './prepare-playbook.ts';
import { readRunHosts } from './run-hosts.ts';
import { warmAnsible } from './warm-ansible.ts';

/**
 * The Python that Ansible itself runs with. The `python3` of the search path can be a script of a version manager, which
 * takes longer to start than everything else that starting a run does.
 */
const ansiblePython = (path: string): string | undefined => {
  const ansible = findProgram('ansible-playbook', path);
  const python = ansible === undefined ? undefined : interpreterOf(ansible);
  return python && findProgram(basename(python), dirname(python));
};

const withoutSecrets = (job: AnsibleJob): AnsibleJob => ({
  ...job,
  inventory: { type: 'static', inventory: '', access: { type: 'none' }, become: null },
  vault_password: null,
  vault_passwords: [],
});

/** Runs Ansible playbooks. */
export const makeAnsible = ({ data, env }: AppSetup): App<AnsibleJob> => {
  const galaxy = new GalaxyCache(join(data, 'galaxy'));
  return {
    program: 'ansible-playbook',
    pythonPackage: 'ansible-core',
    runTitle: 'Playbook run',
    cache: galaxy.cache,
    version: () => ansibleVersion(env, join(data, 'ansible-version')),
    python: () => ansiblePython(env.PATH ?? ''),
    warmStart: () => warmAnsible(env.PATH ?? ''),
    secretsOf: ({ inventory, vault_password, vault_passwords }) => [
      ...secretsOfAccess(inventory.access),
      ...secretsOfAccess(inventory.become),
      vault_password ?? '',
      ...vault_passwords.map(({ password }) => password),
    ],
    withoutSecrets,
    check: checkPlaybook,
    prepare: (run, workspace) => preparePlaybook(run, workspace, galaxy),
    exitLine,
    exitReason,
    hints: hostKeyHints,
    listRunHosts: (job) => ({ job: { ...job, arguments: [...job.arguments, '--list-hosts'] }, read: readRunHosts }),
    listHosts: inventoryHosts,
  };
};
