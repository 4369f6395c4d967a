import { dirname, join } from 'node:path';
import { HostLimit } from '@signalbox/contract/link';
import { ownDetail } from '../../errors/own-detail.ts';
import { PreparationError } from '../../errors/preparation-error.ts';
import { insideCheckout } from '../../git/inside-checkout.ts';
import { isInside } from '../../git/repository-address.ts';
import { openConnection } from '../../workspace/host-connection.ts';
import type { Preparation } from '../../workspace/preparation.ts';
import type { OwnedWorkspace } from '../../workspace/workspace.ts';
import type { CommandStep } from '../app.ts';
import { readAnsibleConfig } from './ansible-config.ts';
import type { AnsibleJob } from './ansible-job.ts';
import { commandLine, type PlaybookCall, shownCommandLine } from './command-line.ts';
import { extraVariableFiles } from './extra-variables.ts';
import type { GalaxyCache } from './galaxy.ts';
import { installRequirements, writeRequirementAccess } from './galaxy-requirements.ts';
import { installedVersions } from './installed-versions.ts';
import { inventoryPath } from './inventory-file.ts';
import { lockedHostsText } from './locked-hosts.ts';
import { CALLBACK_FOLDER, CALLBACK_NOTES_FOLDER, isDeniedVariable, runEnvironment } from './process-environment.ts';
import { argumentsBy } from './ssh-arguments.ts';
import { warnOfMissingSshpass, writeConnection } from './ssh-connection.ts';

const INVENTORY_NAMES = { static: 'text', 'static-yaml': 'YAML text', file: 'file' } as const;

/** @throws PreparationError if the playbook cannot be run with any content of its repository */
export const checkPlaybook = ({ job }: Preparation<AnsibleJob>): void => {
  // The server has checked the limit. The runner checks it too, because a bad limit could print a file into the log.
  if (!HostLimit.safeParse(job.limit).success)
    throw new PreparationError('preparation', 'The limit is not a host pattern.', {
      code: 'preparation.failed',
      params: ownDetail('limit_invalid', 'the limit is not a host pattern'),
    });
};

/** Writes the secrets of a run. @returns the paths of its vault passwords and of its extra variables */
const writeSecrets = async ({ job }: Preparation<AnsibleJob>, { secrets, paths: { events } }: OwnedWorkspace) => {
  const { vault_password, vault_passwords } = job;
  const vaultPasswordFile =
    vault_password === null ? undefined : await secrets.write('vault-password', `${vault_password}\n`);
  // The name of a vault is data of a user, so the files are numbered.
  const vaults = await Promise.all(
    vault_passwords.map(async ({ name, password }, index) => ({
      name,
      file: await secrets.write(`vault-password-${index}`, `${password}\n`),
    })),
  );
  const files = extraVariableFiles(job);
  const paths = await Promise.all(files.map(({ name, text }) => secrets.write(name, text)));
  const lockedHosts =
    job.locked_hosts === null
      ? undefined
      : await secrets.write('locked-hosts', lockedHostsText(job.locked_hosts, events));
  return { vaultPasswordFile, vaults, extraVariableFiles: paths, lockedHosts };
};

/** Prepares a run of a playbook. @throws PreparationError */
export const preparePlaybook = async (
  run: Preparation<AnsibleJob>,
  owned: OwnedWorkspace,
  galaxy: GalaxyCache,
): Promise<CommandStep> => {
  const { job, context, log, done } = run;
  const { paths } = owned;
  const playbook = insideCheckout(paths.checkout, job.playbook, 'The playbook', 'playbook');
  const inventory = await inventoryPath(job.inventory, owned, context.roots);
  log.line(
    `Inventory: ${INVENTORY_NAMES[job.inventory.type]}${job.inventory.type === 'file' ? ` ${job.inventory.inventory}` : ''}`,
  );
  const requirements = await writeRequirementAccess(run, owned, playbook);
  const { lockedHosts, ...secrets } = await writeSecrets(run, owned);
  const fromTemplate = { ...job.process_environment, ...job.secret_environment };
  const base = paths.environment(context.base);
  const config = readAnsibleConfig(paths.checkout, base.HOME ?? '/');
  const ssh = await writeConnection(run, owned, {
    ...config.sshArguments,
    ...argumentsBy((name) => fromTemplate[`ANSIBLE_${name.toUpperCase()}`]),
  });
  done('Inventory prepared');
  return async (released, environment) => {
    const installed = requirements && (await installRequirements(run, released, requirements, { galaxy, environment }));
    if (installed !== undefined) {
      await run.recordVersions(await installedVersions(installed));
      done('Requirements installed');
    }
    for (const name of Object.keys(fromTemplate).filter(isDeniedVariable))
      log.line(`The environment variable ${name} is not passed on: it could change how this task is run and watched.`);
    const { access } = job.inventory;
    const call: PlaybookCall = {
      ...secrets,
      ansiblePlaybook: environment.program('ansible-playbook'),
      playbook,
      inventory,
      user: access.type === 'ssh' && access.login !== '' ? access.login : undefined,
      dryRun: job.dry_run,
      diff: job.diff,
      debug: job.debug,
      limit: job.limit,
      arguments: job.arguments,
    };
    log.line(`Command: ${shownCommandLine(call, paths.path)}`);
    warnOfMissingSshpass(run, environment);
    await openConnection(run, released, access);
    const env = runEnvironment({
      base,
      fromTemplate,
      config,
      eventsFile: paths.events,
      lockedHosts,
      eventsLimit: context.outputLimit,
      facts: job.facts,
      temporary: paths.temporary,
      ssh,
      rolesFolder: installed && join(installed, 'roles'),
      collectionsFolder: installed && join(installed, 'collections'),
    });
    const reads = [
      CALLBACK_FOLDER,
      CALLBACK_NOTES_FOLDER,
      ...(installed === undefined ? [] : [installed]),
      // With the variables next to it.
      ...(isInside(paths.path, inventory) ? [] : [dirname(inventory)]),
    ];
    return { argv: commandLine(call), env, cwd: paths.checkout, reads };
  };
};
