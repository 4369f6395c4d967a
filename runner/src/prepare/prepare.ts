import { join } from 'node:path';
import type { Order } from '@signalbox/contract/link';
import { accessRepository, checkOut, type GitPlaces } from '../git/checkout.ts';
import { gitEnvironment } from '../git/git.ts';
import { writePrivateKey } from '../git/git-access.ts';
import { shownUrl } from '../git/repository-address.ts';
import { findProgram } from '../process/find-program.ts';
import { type KeeperCommand, OUTPUT_CAP } from '../process/keeper.ts';
import { RUN_MARKER } from '../process/process-table.ts';
import type { RunFolder } from '../runs/run-folder.ts';
import type { RunLog } from '../runs/run-log.ts';
import type { PlaceOptions } from '../runs/run-place.ts';
import { readAnsibleConfig } from './ansible-config.ts';
import { commandLine, type PlaybookCall, shownCommandLine } from './command-line.ts';
import { extraVariableFiles } from './extra-variables.ts';
import { findRequirements, installRequirements } from './galaxy.ts';
import { insideCheckout, inventoryPath } from './inventory-file.ts';
import { PreparationFault } from './preparation-fault.ts';
import { isDeniedVariable, runEnvironment } from './process-environment.ts';
import { writeSecretFile } from './secret-files.ts';

/** What preparing needs of the runner, the same for every run. */
export interface Workshop extends GitPlaces {
  places: PlaceOptions;
  /** The environment of every child. */
  base: Record<string, string>;
  gitConfig: string;
  galaxyCache: string;
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

const INVENTORY_NAMES = { static: 'text', 'static-yaml': 'YAML text', file: 'file' } as const;

const bringCode = async ({ order, folder, log, marker, signal, onCommit }: Preparation, workshop: Workshop) => {
  const { url, branch } = order.repository;
  log.line(`Repository: ${shownUrl(url)}${branch === '' ? '' : `, branch ${branch}`}`);
  const env = { ...gitEnvironment(workshop.base, workshop.gitConfig), [RUN_MARKER]: marker };
  const repository = await accessRepository(order.repository, workshop, join(folder.place.secrets, 'git'), {
    env,
    signal,
  });
  const commit = await checkOut(order.repository, order.commit, repository, workshop, folder.place.checkout);
  // The playbook may use what is in its place, and this key is not meant for it.
  await folder.place.remove(join(folder.place.secrets, 'git'));
  if (commit) await onCommit(commit);
  log.line(commit ? `Commit: ${commit.hash} ${commit.message}` : 'Commit: none, the folder is copied as it is');
};

const connection = async ({ order, folder, signal }: Preparation, workshop: Workshop) => {
  const { access, become } = order.inventory;
  if (become?.type === 'ssh')
    throw new PreparationFault('preparation', 'An ssh key cannot be used to become another user.');
  if (access.type !== 'ssh') return { privateKey: undefined, user: undefined };
  const privateKey = await writePrivateKey(join(folder.place.secrets, 'connection'), access, workshop.base, signal);
  return { privateKey, user: access.login === '' ? undefined : access.login };
};

const galaxy = async ({ folder, log, marker, signal }: Preparation, playbook: string, workshop: Workshop) => {
  const requirements = findRequirements(folder.place.checkout, playbook);
  if (requirements.length === 0) return undefined;
  const names = requirements.map(({ file }) => file.slice(folder.place.checkout.length + 1));
  log.line(`Requirements: ${[...new Set(names)].join(', ')}`);
  const { folder: installed, isNew } = await installRequirements(requirements, {
    cache: workshop.galaxyCache,
    env: {
      ...folder.place.environment(workshop.base),
      [RUN_MARKER]: marker,
      PYTHONUNBUFFERED: '1',
      ANSIBLE_LOCAL_TEMP: folder.place.temporary,
    },
    signal,
    ansibleGalaxy: program('ansible-galaxy', workshop.base.PATH ?? ''),
    checkout: folder.place.checkout,
    user: folder.place.user,
    onOutput: (chunk) => log.write(chunk),
  });
  await folder.noteUse(installed);
  if (!isNew) log.line('Requirements are installed already.');
  return installed;
};

/** Prepares a run and says so in its log. Answers what the keeper is to start; throws a PreparationFault in one sentence. */
export const prepare = async (run: Preparation, workshop: Workshop): Promise<Omit<KeeperCommand, 'time_limit'>> => {
  const { order, folder, log } = run;
  const ansiblePlaybook = program('ansible-playbook', workshop.base.PATH ?? '');
  await folder.place.create();
  await bringCode(run, workshop);
  const { checkout, secrets } = folder.place;
  const playbook = insideCheckout(checkout, order.playbook, 'The playbook');
  const inventory = await inventoryPath(order.inventory, { folder: secrets, checkout, roots: workshop.roots });
  log.line(
    `Inventory: ${INVENTORY_NAMES[order.inventory.type]}${order.inventory.type === 'file' ? ` ${order.inventory.inventory}` : ''}`,
  );
  const { privateKey, user } = await connection(run, workshop);
  const vault = order.vault_password;
  const vaultPasswordFile = vault === null ? undefined : await writeSecretFile(secrets, 'vault-password', `${vault}\n`);
  const files = extraVariableFiles(order);
  const paths = await Promise.all(files.map(({ name, text }) => writeSecretFile(secrets, name, text)));
  const installed = await galaxy(run, playbook, workshop);
  const environment = { ...order.process_environment, ...order.secret_environment };
  for (const name of Object.keys(environment).filter(isDeniedVariable)) {
    log.line(`The environment variable ${name} is not passed on: it could change how this task is run and watched.`);
  }
  const call: PlaybookCall = {
    ansiblePlaybook,
    playbook,
    inventory,
    privateKey,
    user,
    vaultPasswordFile,
    extraVariableFiles: paths,
    dryRun: order.dry_run,
    diff: order.diff,
    debug: order.debug,
    limit: order.limit,
    arguments: order.arguments,
  };
  log.line(`Command: ${shownCommandLine(call, folder.place.path)}`);
  const base = folder.place.environment(workshop.base);
  const env = runEnvironment({
    base,
    fromTemplate: environment,
    config: readAnsibleConfig(checkout, base.HOME ?? '/'),
    marker: run.marker,
    eventsFile: folder.place.events,
    temporary: folder.place.temporary,
    knownHosts: workshop.knownHosts(`project-${order.project_id}`),
    rolesFolder: installed && join(installed, 'roles'),
    collectionsFolder: installed && join(installed, 'collections'),
  });
  await folder.place.handOver();
  return { argv: commandLine(call), cwd: checkout, env, output_cap: OUTPUT_CAP, user: folder.place.user ?? null };
};
