import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { HostLimit } from '@signalbox/contract';
import type { JobSpec } from '@signalbox/contract/link';
import { readAnsibleConfig, readOwnConfig } from '../../apps/ansible/ansible-config.ts';
import { commandLine, type PlaybookCall, shownCommandLine } from '../../apps/ansible/command-line.ts';
import { extraVariableFiles } from '../../apps/ansible/extra-variables.ts';
import type { GalaxyCache } from '../../apps/ansible/galaxy.ts';
import { inventoryPath } from '../../apps/ansible/inventory-file.ts';
import { isDeniedVariable, runEnvironment } from '../../apps/ansible/process-environment.ts';
import { findRequirements, type Requirements } from '../../apps/ansible/requirements.ts';
import { argumentsBy } from '../../apps/ansible/ssh-arguments.ts';
import { openConnection, writeConnection } from '../../apps/ansible/ssh-connection.ts';
import { inRepository, PreparationError } from '../../errors/preparation-error.ts';
import { accessRepository, checkOut, type GitContext } from '../../git/checkout.ts';
import { gitEnvironment } from '../../git/git.ts';
import { type GitAccess, gitAccess } from '../../git/git-access.ts';
import { insideCheckout } from '../../git/inside-checkout.ts';
import { parseRepositoryUrl, shownUrl } from '../../git/repository-address.ts';
import { findProgram } from '../../process/find-program.ts';
import { RUN_MARKER } from '../../process/process-table.ts';
import { UserError } from '../../process/process-user.ts';
import type { SupervisorCommand } from '../../process/supervisor.ts';
import { secretsOfUrl, writeSecretFile } from '../../workspace/job-secrets.ts';
import { type PhaseClock, phaseClock } from '../../workspace/phase-clock.ts';
import type { RunLog } from '../../workspace/run-log.ts';
import type { WorkspaceOptions } from '../../workspace/workspace.ts';
import type { RunFolder } from '../folder/run-folder.ts';

/** What preparing needs of the runner, the same for every run. */
export interface RunnerContext extends GitContext {
  places: WorkspaceOptions;
  /** The environment of every child. */
  base: Record<string, string>;
  gitConfig: string;
  galaxy: GalaxyCache;
  /** Most bytes of one run's log. */
  outputLimit: number;
}

export interface Preparation {
  order: JobSpec;
  folder: RunFolder;
  log: RunLog;
  marker: string;
  signal: AbortSignal;
  /** Called when the commit is known; undefined for a plain folder. */
  onCommit: (commit: { hash: string; message: string }) => Promise<void>;
}

const program = (name: string, path: string): string => {
  const found = findProgram(name, path);
  if (found === undefined)
    throw new PreparationError('preparation', `${name} is not installed on the runner.`, {
      code: 'program.missing',
      params: { program: name },
    });
  return found;
};

/** The server has looked at it already; a runner takes nobody's word for what would print a file into the log. */
const checkLimit = (limit: string): void => {
  if (HostLimit.safeParse(limit).success) return;
  throw new PreparationError('preparation', 'The limit is not a host pattern.');
};

const createPlace = async ({ folder, log }: Preparation): Promise<void> => {
  const repaired = await folder.workspace.create().catch((error: unknown) => {
    throw error instanceof UserError ? new PreparationError('preparation', error.message) : error;
  });
  for (const path of repaired)
    log.line(`The user ${folder.workspace.user?.name} could not enter ${path}: its mode was repaired.`);
};

const INVENTORY_NAMES = { static: 'text', 'static-yaml': 'YAML text', file: 'file' } as const;

/** Brings the code. The repository's key is gone afterwards: no program of the run may see it. */
const bringCode = async (run: Preparation, workshop: RunnerContext, done: PhaseClock) => {
  const { order, folder, log, marker, signal, onCommit } = run;
  const { url, branch } = order.repository;
  log.line(`Repository: ${shownUrl(url)}${branch === '' ? '' : `, branch ${branch}`}`);
  const env = { ...gitEnvironment(workshop.base, workshop.gitConfig), [RUN_MARKER]: marker };
  const { checkout, secrets } = folder.workspace;
  const source = { ...order.repository, project_id: order.project_id };
  try {
    const repository = await accessRepository(source, workshop, join(secrets, 'git'), { env, signal });
    try {
      const told = { line: (text: string) => log.line(text), done };
      const commit = await checkOut(order.repository, order.commit, repository, workshop, checkout, told);
      if (commit) await onCommit(commit);
    } finally {
      await repository.close();
    }
  } catch (fault) {
    if (!(fault instanceof PreparationError)) throw fault;
    throw new PreparationError(fault.kind, fault.message, inRepository(fault.endReason, shownUrl(url)));
  }
};

/** Repositories that roles and collections may come from. What lies on this machine was checked when they were read. */
const GALAXY_PROTOCOLS = 'https:ssh:http:git:file';

interface WantedRequirements {
  list: Requirements[];
  access: GitAccess;
  source: string;
}

/**
 * What tells requirements apart that are named alike. A key opens what other projects may not read, and an ansible.cfg names
 * the servers that are asked: who writes one could otherwise put a role of theirs in the place of everybody's.
 */
const sourceOf = ({ order, folder }: Preparation): string => {
  const hasKey =
    order.repository.access.type !== 'none' || secretsOfUrl(order.repository.url).some((secret) => secret !== '');
  return JSON.stringify([hasKey ? order.project_id : null, readOwnConfig(folder.workspace.checkout) ?? null]);
};

/** Finds what is required, and writes how git reaches it: as the repository itself. Before the place is handed over. */
const findWanted = async (
  run: Preparation,
  playbook: string,
  workshop: RunnerContext,
): Promise<WantedRequirements | undefined> => {
  const { order, folder, log } = run;
  const { checkout, secrets } = folder.workspace;
  const list = findRequirements(checkout, playbook, workshop.roots);
  if (list.length === 0) return undefined;
  log.line(`Requirements: ${[...new Set(list.map(({ name }) => name))].join(', ')}`);
  const address = parseRepositoryUrl(order.repository.url, workshop.roots);
  const { hostKeys } = workshop;
  const place = join(secrets, 'galaxy');
  await mkdir(place, { recursive: true, mode: 0o700 });
  const knownHosts = folder.workspace.user
    ? [await hostKeys.copyFor(order.project_id, join(place, 'known-hosts'))]
    : hostKeys.filesOf(order.project_id);
  const access = await gitAccess(address, order.repository.access, {
    folder: place,
    hostKeys: { policy: hostKeys.policy, knownHosts },
  });
  return { list, access, source: sourceOf(run) };
};

const installWanted = async (
  { folder, log, marker, signal }: Preparation,
  { list, access, source }: WantedRequirements,
  workshop: RunnerContext,
): Promise<string> => {
  const { workspace: place } = folder;
  const env = { ...gitEnvironment(place.environment(workshop.base), '/dev/null'), [RUN_MARKER]: marker };
  try {
    const { folder: installed, isNew } = await workshop.galaxy.install(list, {
      env: {
        ...env,
        ...access.env,
        GIT_ALLOW_PROTOCOL: GALAXY_PROTOCOLS,
        GIT_CONFIG_COUNT: '1',
        GIT_CONFIG_KEY_0: 'safe.directory',
        GIT_CONFIG_VALUE_0: '*',
        PYTHONUNBUFFERED: '1',
        // It would start what the repository names as its cow, outside of the keeper.
        ANSIBLE_NOCOWS: '1',
        ANSIBLE_LOCAL_TEMP: place.temporary,
      },
      signal,
      ansibleGalaxy: program('ansible-galaxy', workshop.base.PATH ?? ''),
      checkout: place.checkout,
      source,
      user: place.user,
      open: () => access.open({ privately: folder.file('open'), env, signal, user: place.user }),
      log,
    });
    await folder.noteUse(installed);
    if (!isNew) log.line('Requirements are installed already.');
    return installed;
  } finally {
    await access.close();
    await place.removeAsRunUser(join(place.secrets, 'galaxy'));
  }
};

/** Prepares a run and says so in its log. Answers what the keeper is to start; throws a PreparationFault in one sentence. */
export const prepare = async (
  run: Preparation,
  workshop: RunnerContext,
): Promise<Omit<SupervisorCommand, 'time_limit'>> => {
  const { order, folder, log } = run;
  checkLimit(order.limit);
  const ansiblePlaybook = program('ansible-playbook', workshop.base.PATH ?? '');
  const { workspace: place } = folder;
  await createPlace(run);
  const done = phaseClock(log);
  await bringCode(run, workshop, done);
  const { checkout, secrets } = place;
  const playbook = insideCheckout(checkout, order.playbook, 'The playbook', 'playbook');
  const inventory = await inventoryPath(order.inventory, { folder: secrets, checkout, roots: workshop.roots });
  log.line(
    `Inventory: ${INVENTORY_NAMES[order.inventory.type]}${order.inventory.type === 'file' ? ` ${order.inventory.inventory}` : ''}`,
  );
  const wanted = await findWanted(run, playbook, workshop);
  const vault = order.vault_password;
  const vaultPasswordFile = vault === null ? undefined : await writeSecretFile(secrets, 'vault-password', `${vault}\n`);
  const files = extraVariableFiles(order);
  const paths = await Promise.all(files.map(({ name, text }) => writeSecretFile(secrets, name, text)));
  const environment = { ...order.process_environment, ...order.secret_environment };
  const base = place.environment(workshop.base);
  const config = readAnsibleConfig(checkout, base.HOME ?? '/');
  const fromTemplate = argumentsBy((name) => environment[`ANSIBLE_${name.toUpperCase()}`]);
  const ssh = await writeConnection(run, workshop, { ...config.sshArguments, ...fromTemplate });
  // From here on programs may be executed as the user of runs: nothing more is written into the place.
  await place.giveToRunUser(run.signal);
  done('Inventory prepared');
  const installed = wanted && (await installWanted(run, wanted, workshop));
  if (wanted) done('Requirements brought');
  for (const name of Object.keys(environment).filter(isDeniedVariable)) {
    log.line(`The environment variable ${name} is not passed on: it could change how this task is run and watched.`);
  }
  const { access } = order.inventory;
  const call: PlaybookCall = {
    ansiblePlaybook,
    playbook,
    inventory,
    user: access.type === 'ssh' && access.login !== '' ? access.login : undefined,
    vaultPasswordFile,
    extraVariableFiles: paths,
    dryRun: order.dry_run,
    diff: order.diff,
    debug: order.debug,
    limit: order.limit,
    arguments: order.arguments,
  };
  log.line(`Command: ${shownCommandLine(call, place.path)}`);
  const env = runEnvironment({
    base,
    fromTemplate: environment,
    config,
    marker: run.marker,
    eventsFile: place.events,
    eventsLimit: workshop.outputLimit,
    temporary: place.temporary,
    ssh,
    rolesFolder: installed && join(installed, 'roles'),
    collectionsFolder: installed && join(installed, 'collections'),
  });
  await openConnection(run, workshop);
  return { argv: commandLine(call), cwd: checkout, env, output_cap: workshop.outputLimit, user: place.user ?? null };
};
