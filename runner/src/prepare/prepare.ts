import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { HostLimit } from '@signalbox/contract';
import type { Order } from '@signalbox/contract/link';
import { accessRepository, checkOut, type GitPlaces } from '../git/checkout.ts';
import { gitEnvironment } from '../git/git.ts';
import { shownUrl } from '../git/repository-address.ts';
import { findProgram } from '../process/find-program.ts';
import { type KeeperCommand, OUTPUT_CAP } from '../process/keeper.ts';
import { RUN_MARKER } from '../process/process-table.ts';
import type { RunFolder } from '../runs/run-folder.ts';
import type { RunLog } from '../runs/run-log.ts';
import { readAnsibleConfig } from './ansible-config.ts';
import { commandLine, type PlaybookCall, shownCommandLine } from './command-line.ts';
import { openConnection } from './connection.ts';
import { extraVariableFiles } from './extra-variables.ts';
import type { GalaxyCache } from './galaxy.ts';
import { insideCheckout } from './inside-checkout.ts';
import { inventoryPath } from './inventory-file.ts';
import { PreparationFault } from './preparation-fault.ts';
import { isDeniedVariable, runEnvironment } from './process-environment.ts';
import { findRequirements } from './requirements.ts';
import { writeSecretFile } from './secret-files.ts';

/** What preparing needs of the runner, the same for every run. */
export interface Workshop extends GitPlaces {
  /** The environment that every child gets. */
  base: Record<string, string>;
  gitConfig: string;
  galaxy: GalaxyCache;
}

export interface Preparation {
  order: Order;
  folder: RunFolder;
  log: RunLog;
  marker: string;
  signal: AbortSignal;
  /** Called when the commit is known; undefined for a plain folder. */
  onCommit: (commit: { hash: string; message: string }) => Promise<void>;
}

const program = (name: string, path: string): string => {
  const found = findProgram(name, path);
  if (found === undefined) throw new PreparationFault('preparation', `${name} is not installed on the runner.`);
  return found;
};

/** The server has looked at it already; a runner takes nobody's word for what would print a file into the log. */
const checkLimit = (limit: string): void => {
  if (HostLimit.safeParse(limit).success) return;
  throw new PreparationFault('preparation', 'The limit is not a host pattern.');
};

const INVENTORY_NAMES = { static: 'text', 'static-yaml': 'YAML text', file: 'file' } as const;

type Repository = Awaited<ReturnType<typeof accessRepository>>;

const bringCode = async (repository: Repository, { order, folder, log, onCommit }: Preparation, workshop: Workshop) => {
  const commit = await checkOut(order.repository, order.commit, repository, workshop, folder.checkout, (line) =>
    log.line(line),
  );
  if (commit) await onCommit(commit);
  log.line(commit ? `Commit: ${commit.hash} ${commit.message}` : 'Commit: none, the folder is copied as it is');
};

/** Repositories that roles and collections may come from. What lies on this machine was checked when they were read. */
const GALAXY_PROTOCOLS = 'https:ssh:http:git:file';

const galaxy = async (repository: Repository, run: Preparation, playbook: string, workshop: Workshop) => {
  const { folder, log, signal } = run;
  const requirements = findRequirements(folder.checkout, playbook, workshop.roots);
  if (requirements.length === 0) return undefined;
  log.line(`Requirements: ${[...new Set(requirements.map(({ name }) => name))].join(', ')}`);
  const { folder: installed, isNew } = await workshop.galaxy.install(requirements, {
    env: {
      ...repository.options.env,
      GIT_ALLOW_PROTOCOL: GALAXY_PROTOCOLS,
      PYTHONUNBUFFERED: '1',
      ANSIBLE_LOCAL_TEMP: folder.file('tmp'),
    },
    signal,
    ansibleGalaxy: program('ansible-galaxy', workshop.base.PATH ?? ''),
    checkout: folder.checkout,
    log,
  });
  if (!isNew) log.line('Requirements are installed already.');
  return installed;
};

/** Brings what the repository holds and requires. Its key is gone before the playbook starts. */
const fetchAll = async (run: Preparation, workshop: Workshop) => {
  const { order, folder, log, marker, signal } = run;
  const { url, branch } = order.repository;
  log.line(`Repository: ${shownUrl(url)}${branch === '' ? '' : `, branch ${branch}`}`);
  const env = { ...gitEnvironment(workshop.base, workshop.gitConfig), [RUN_MARKER]: marker };
  const source = { ...order.repository, project_id: order.project_id };
  const repository = await accessRepository(source, workshop, join(folder.secrets, 'git'), { env, signal });
  try {
    await bringCode(repository, run, workshop);
    const playbook = insideCheckout(folder.checkout, order.playbook, 'The playbook');
    return { playbook, installed: await galaxy(repository, run, playbook, workshop) };
  } finally {
    await repository.close();
  }
};

/** Prepares a run and says so in its log. Answers what the keeper is to start; throws a PreparationFault in one sentence. */
export const prepare = async (run: Preparation, workshop: Workshop): Promise<Omit<KeeperCommand, 'time_limit'>> => {
  const { order, folder, log } = run;
  checkLimit(order.limit);
  const ansiblePlaybook = program('ansible-playbook', workshop.base.PATH ?? '');
  await mkdir(folder.secrets, { recursive: true, mode: 0o700 });
  await mkdir(folder.file('tmp'), { recursive: true, mode: 0o700 });
  const { playbook, installed } = await fetchAll(run, workshop);
  const { checkout, secrets } = folder;
  const inventory = await inventoryPath(order.inventory, { folder: secrets, checkout, roots: workshop.roots });
  log.line(
    `Inventory: ${INVENTORY_NAMES[order.inventory.type]}${order.inventory.type === 'file' ? ` ${order.inventory.inventory}` : ''}`,
  );
  const vault = order.vault_password;
  const vaultPasswordFile = vault === null ? undefined : await writeSecretFile(secrets, 'vault-password', `${vault}\n`);
  const files = extraVariableFiles(order);
  const paths = await Promise.all(files.map(({ name, text }) => writeSecretFile(secrets, name, text)));
  const environment = { ...order.process_environment, ...order.secret_environment };
  for (const name of Object.keys(environment).filter(isDeniedVariable)) {
    log.line(`The environment variable ${name} is not passed on: it could change how this task is run and watched.`);
  }
  const config = readAnsibleConfig(checkout, workshop.base.HOME ?? '/');
  const ssh = await openConnection(run, workshop, environment.ANSIBLE_SSH_ARGS ?? config.sshArguments);
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
  log.line(`Command: ${shownCommandLine(call, folder.path)}`);
  const env = runEnvironment({
    base: workshop.base,
    fromTemplate: environment,
    config,
    marker: run.marker,
    eventsFile: folder.events,
    temporary: folder.file('tmp'),
    ssh,
    rolesFolder: installed && join(installed, 'roles'),
    collectionsFolder: installed && join(installed, 'collections'),
  });
  return { argv: commandLine(call), cwd: checkout, env, output_cap: OUTPUT_CAP };
};
