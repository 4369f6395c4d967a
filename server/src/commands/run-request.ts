import { readFileSync } from 'node:fs';
import type { LaunchValues, Task, Template } from '@signalbox/contract';
import { StartError } from '../start-error.ts';
import type { ApiCaller } from './api-caller.ts';

/** The options of `signalbox run` that a task is started with. */
export interface LaunchOptions {
  readonly launch?: string;
  readonly message?: string;
  readonly limit?: string;
  readonly var?: readonly string[];
  readonly varFile?: readonly string[];
  readonly argument?: readonly string[];
  readonly tag?: readonly string[];
  readonly skipTag?: readonly string[];
  readonly inventory?: string;
  readonly environment?: string;
  readonly branch?: string;
  readonly vault?: readonly string[];
  readonly forks?: string;
  readonly runnerTag?: readonly string[];
  readonly priority?: string;
  readonly verbosity?: string;
  readonly timeLimit?: string;
  readonly commit?: string;
  readonly build?: string;
  readonly freezeReason?: string;
  readonly dryRun?: boolean;
  readonly diff?: boolean;
  readonly debug?: boolean;
}

/** Finds an object by its name or its id. @throws StartError if there is none, or more than one of this name */
export const pick = <T extends { readonly id: number; readonly name: string }>(
  all: readonly T[],
  wanted: string,
  what: string,
): T => {
  const byName = all.filter(({ name }) => name === wanted);
  const found = byName.length > 0 ? byName : all.filter(({ id }) => String(id) === wanted);
  const [one, second] = found;
  if (!one) throw new StartError(`There is no ${what} ${wanted}, or the token gives no access to it.`);
  if (second) throw new StartError(`There is more than one ${what} named ${wanted}. Use its id.`);
  return one;
};

/** Splits `name=rest`. The rest may contain more equals signs. */
const pairOf = (option: string, given: string, what: string): [name: string, rest: string] => {
  const at = given.indexOf('=');
  if (at < 1) throw new StartError(`${option} ${given} must be a name, = and a ${what}.`);
  return [given.slice(0, at), given.slice(at + 1)];
};

const readText = (file: string): string => {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (error) {
    throw new StartError(`The answer cannot be read (${(error as Error).message}).`);
  }
};

/** The answers of a saved launch, and those of options, which replace them. The server reads each as the type of its variable. */
const answersOf = ({ var: given = [], varFile = [] }: LaunchOptions, saved: Partial<LaunchValues>): string => {
  const answers = given.map((one) => pairOf('--var', one, 'value'));
  const fromFiles = varFile.map((one): [string, string] => {
    const [name, file] = pairOf('--var-file', one, 'file');
    return [name, readText(file).replace(/\r?\n$/, '')];
  });
  const before = JSON.parse(saved.environment ?? '{}') as object;
  return JSON.stringify({ ...before, ...Object.fromEntries([...answers, ...fromFiles]) });
};

const numberOf = (option: string, given: string | undefined): number | null => {
  if (given === undefined) return null;
  if (!/^\d{1,6}$/.test(given)) throw new StartError(`${option} must be a whole number.`);
  return Number(given);
};

const priorityOf = (given: string | undefined): number | null => {
  if (given === undefined) return null;
  if (!/^-?\d{1,3}$/.test(given)) throw new StartError('--priority must be a whole number.');
  return Number(given);
};

/** The values of the saved launch that an option names. */
const savedValues = async (api: ApiCaller, template: Template, name: string): Promise<LaunchValues> => {
  const params = { project_id: template.project_id, template_id: template.id };
  return pick(await api.call('listSavedLaunches', { params }), name, 'saved launch').launch_values;
};

/** The objects of the project that options name, by id; those that are undefined were not named. */
const objectsOf = async (api: ApiCaller, { project_id }: Template, options: LaunchOptions) => {
  const { inventory, environment, vault } = options;
  const params = { project_id };
  const keys = vault ? await api.call('listKeys', { params }) : [];
  return {
    inventory_id:
      inventory === undefined
        ? undefined
        : pick(await api.call('listInventory', { params }), inventory, 'inventory').id,
    environment_id:
      environment === undefined
        ? undefined
        : pick(await api.call('listEnvironments', { params }), environment, 'environment').id,
    vaults: vault?.map((one) => {
      const at = one.indexOf('=');
      if (at < 0) throw new StartError(`--vault ${one} must be the id of a vault, = and a key.`);
      return { name: one.slice(0, at), vault_key_id: pick(keys, one.slice(at + 1), 'key').id };
    }),
  };
};

/**
 * Starts a task of a template.
 * @throws StartError for an option that cannot be read or names nothing
 */
export const startTask = async (api: ApiCaller, template: Template, options: LaunchOptions): Promise<Task> => {
  if (options.build !== undefined && !/^[1-9]\d{0,9}$/.test(options.build))
    throw new StartError('--build must be the id of a task.');
  const minutes = numberOf('--time-limit', options.timeLimit);
  const saved: Partial<LaunchValues> =
    options.launch === undefined ? {} : await savedValues(api, template, options.launch);
  const { inventory_id, environment_id, vaults } = await objectsOf(api, template, options);
  return await api.call('createTask', {
    params: { project_id: template.project_id },
    body: {
      template_id: template.id,
      message: options.message ?? saved.message ?? '',
      environment: answersOf(options, saved),
      arguments: options.argument ? JSON.stringify(options.argument) : (saved.arguments ?? '[]'),
      limit: options.limit ?? saved.limit ?? '',
      commit_hash: options.commit ?? null,
      build_task_id: options.build === undefined ? null : Number(options.build),
      freeze_reason: options.freezeReason ?? null,
      tags: options.tag ? [...options.tag] : saved.tags,
      skip_tags: options.skipTag ? [...options.skipTag] : saved.skip_tags,
      git_branch: options.branch ?? saved.git_branch,
      forks: numberOf('--forks', options.forks) ?? saved.forks,
      // The verbosity of the saved launch would win over --debug.
      verbosity: numberOf('--verbosity', options.verbosity) ?? (options.debug ? null : saved.verbosity),
      max_duration: minutes === null ? saved.max_duration : minutes * 60,
      runner_tags: options.runnerTag ? [...options.runnerTag] : saved.runner_tags,
      priority: priorityOf(options.priority) ?? saved.priority,
      debug: options.debug ?? saved.debug,
      dry_run: options.dryRun ?? saved.dry_run,
      diff: options.diff ?? saved.diff,
      inventory_id: inventory_id ?? saved.inventory_id,
      environment_id: environment_id ?? saved.environment_id,
      vaults: vaults ?? saved.vaults,
    },
  });
};
