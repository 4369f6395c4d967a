import { readFileSync } from 'node:fs';
import type { Task, Template } from '@signalbox/contract';
import { StartError } from '../start-error.ts';
import type { ApiCaller } from './api-caller.ts';

/** The options of `signalbox run` that a task is started with. */
export interface LaunchOptions {
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

/** The server reads each answer as the type of its variable. */
const answersOf = ({ var: given = [], varFile = [] }: LaunchOptions): string => {
  const answers = given.map((one) => pairOf('--var', one, 'value'));
  const fromFiles = varFile.map((one): [string, string] => {
    const [name, file] = pairOf('--var-file', one, 'file');
    return [name, readText(file).replace(/\r?\n$/, '')];
  });
  return JSON.stringify(Object.fromEntries([...answers, ...fromFiles]));
};

const numberOf = (option: string, given: string | undefined): number | null => {
  if (given === undefined) return null;
  if (!/^\d{1,6}$/.test(given)) throw new StartError(`${option} must be a whole number.`);
  return Number(given);
};

/** The objects of the project that options name, by id; null where the template decides. */
const objectsOf = async (api: ApiCaller, { project_id }: Template, options: LaunchOptions) => {
  const { inventory, environment, vault } = options;
  const params = { project_id };
  const keys = vault ? await api.call('listKeys', { params }) : [];
  return {
    inventory_id:
      inventory === undefined ? null : pick(await api.call('listInventory', { params }), inventory, 'inventory').id,
    environment_id:
      environment === undefined
        ? null
        : pick(await api.call('listEnvironments', { params }), environment, 'environment').id,
    vaults:
      vault?.map((one) => {
        const at = one.indexOf('=');
        if (at < 0) throw new StartError(`--vault ${one} must be the id of a vault, = and a key.`);
        return { name: one.slice(0, at), vault_key_id: pick(keys, one.slice(at + 1), 'key').id };
      }) ?? null,
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
  return await api.call('createTask', {
    params: { project_id: template.project_id },
    body: {
      template_id: template.id,
      message: options.message ?? '',
      environment: answersOf(options),
      arguments: JSON.stringify(options.argument ?? []),
      limit: options.limit ?? '',
      commit_hash: options.commit ?? null,
      build_task_id: options.build === undefined ? null : Number(options.build),
      freeze_reason: options.freezeReason ?? null,
      tags: options.tag ? [...options.tag] : null,
      skip_tags: options.skipTag ? [...options.skipTag] : null,
      git_branch: options.branch ?? null,
      forks: numberOf('--forks', options.forks),
      verbosity: numberOf('--verbosity', options.verbosity),
      max_duration: minutes === null ? null : minutes * 60,
      debug: options.debug ?? null,
      dry_run: options.dryRun ?? null,
      diff: options.diff ?? null,
      ...(await objectsOf(api, template, options)),
    },
  });
};
