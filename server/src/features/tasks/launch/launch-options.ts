import { appOf, DEBUG_VERBOSITY, type LaunchVault, type PromptName, Prompts, RunOptions } from '@signalbox/contract';
import type { Selectable } from 'kysely';
import type { StateTransaction } from '../../../database/database.ts';
import { lockRow } from '../../../database/queries/lock-row.ts';
import { belongsTo, type Referable } from '../../../database/queries/same-project.ts';
import type { TemplateTable } from '../../../database/schema.ts';
import { badField } from '../../../http/errors/api-error.ts';
import { checkTogether } from '../../../http/errors/check-together.ts';
import { vaultsOfTemplate } from '../../../template-vaults.ts';
import { type LaunchRequest, sentField, unlessEmpty, withParameters } from './task-parameters.ts';

type Template = Selectable<TemplateTable>;

/** The options of one run. Those that are null have the value that the template has when the run is claimed. */
export interface LaunchOptions extends RunOptions {
  readonly inventory_id: number | null;
  readonly environment_id: number;
  /** Null for the branch of the repository. */
  readonly git_branch: string | null;
  /** Null for the passwords of the template. */
  readonly vaults: readonly LaunchVault[] | null;
  /** Null for the time limit of the template. */
  readonly max_duration: number | null;
  /** Whether the caller may choose every commit, because the template permits every branch. */
  readonly permitsEveryCommit: boolean;
}

/** What the template of a task sets, and what a user may change of it. */
interface Rules {
  readonly sent: LaunchRequest;
  readonly options: RunOptions;
  readonly prompts: Prompts;
  readonly mayGiveArguments: boolean;
}

const rulesOf = (template: Template, sent: LaunchRequest): Rules => ({
  sent,
  options: RunOptions.parse(JSON.parse(template.options)),
  prompts: Prompts.parse(JSON.parse(template.prompts)),
  mayGiveArguments: template.allow_override_args_in_task === 1,
});

/** What a prompt permits: one that is null follows the arguments. */
const permitted = ({ prompts, mayGiveArguments }: Rules, name: PromptName) =>
  prompts[name] ?? (mayGiveArguments ? 'any' : 'fixed');

const shownItem = (item: string | LaunchVault): string => {
  if (typeof item === 'string') return item;
  return item.name === '' ? String(item.vault_key_id) : `${item.name}=${item.vault_key_id}`;
};

const shown = (value: unknown): string | number => {
  if (Array.isArray(value)) return value.length === 0 ? '[]' : value.map(shownItem).join(', ');
  return typeof value === 'number' ? value : String(value);
};

const isEmpty = (value: unknown): boolean =>
  value === null || value === '' || (Array.isArray(value) && value.length === 0);

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/**
 * Resolves the value of one option: that of the template, unless the request has another one that its prompt permits.
 * @throws bad_input if the prompt does not permit the value
 */
const resolve = <Value>(rules: Rules, name: PromptName, own: Value, given: Value | null | undefined): Value => {
  if (given === null || given === undefined || isSame(given, own)) return own;
  const allowed = permitted(rules, name);
  if (allowed === 'any') return given;
  const field = sentField(rules.sent, name);
  if (allowed === 'fixed')
    throw isEmpty(own)
      ? badField(field, 'field.empty_as_template')
      : badField(field, 'field.as_template', { value: shown(own) });
  const listed = allowed as readonly unknown[];
  const values: readonly unknown[] = Array.isArray(given) ? given : [given];
  // No tags at all is none of the listed values: nothing would be skipped, and every runner could run the task.
  if (values.length === 0 || !values.every((value) => listed.includes(value)))
    throw badField(field, 'field.choice', { values: listed.join(', ') });
  return given;
};

/** With a list of runner tags a task needs at least one of them, also if the template itself has none. */
const resolveRunnerTags = (rules: Rules, given: readonly string[] | null | undefined): string[] => {
  const tags = resolve<readonly string[]>(rules, 'runner_tags', rules.options.runner_tags, given);
  const listed = rules.prompts.runner_tags;
  if (Array.isArray(listed) && tags.length === 0)
    throw badField(sentField(rules.sent, 'runner_tags'), 'field.choice', { values: listed.join(', ') });
  return [...tags];
};

/** The tags of the inventory of a task that has no runner tags of its own. */
const tagsOfInventory = async (tx: StateTransaction, inventoryId: number | null): Promise<string[]> => {
  if (inventoryId === null) return [];
  const row = await tx.selectFrom('inventory').select('runner_tags').where('id', '=', inventoryId).executeTakeFirst();
  return row ? (JSON.parse(row.runner_tags) as string[]) : [];
};

/** `debug: true` is `-vvvv`. `debug: false` keeps the verbosity of the template, except that 4 and more becomes 0. */
const givenVerbosity = ({ verbosity, debug }: LaunchRequest, own: number): number | null | undefined => {
  if (verbosity !== null && verbosity !== undefined) return verbosity;
  if (debug === true) return DEBUG_VERBOSITY;
  return debug === false && own >= DEBUG_VERBOSITY ? 0 : undefined;
};

/** @throws bad_input for an object of another project, with the same answer as for one that does not exist */
const checkOfProject = async (
  tx: StateTransaction,
  field: string,
  table: Referable,
  id: number | null,
  projectId: number,
): Promise<void> => {
  if (id !== null && !(await belongsTo(tx, table, id, projectId))) throw badField(field, 'field.not_of_project');
};

const checkVaults = async (tx: StateTransaction, projectId: number, vaults: readonly LaunchVault[]): Promise<void> => {
  for (const [index, { vault_key_id }] of vaults.entries()) {
    const field = `vaults.${index}.vault_key_id`;
    const key = await lockRow(tx, 'access_key', projectId, vault_key_id);
    if (!key) throw badField(field, 'field.not_of_project');
    if (key.type !== 'login_password') throw badField(field, 'field.password_key');
  }
};

/** The branch of the repository of a template; empty for the default branch. */
export const branchOf = async (tx: StateTransaction, { repository_id }: Template): Promise<string> => {
  const row = await tx.selectFrom('repository').select('git_branch').where('id', '=', repository_id).executeTakeFirst();
  return row?.git_branch ?? '';
};

/** A limit in the arguments of the template would replace that of the task, so it counts as fixed. */
const checkLimit = (rules: Rules, template: Template, request: LaunchRequest): void => {
  if (request.limit === '' || request.limit === rules.options.limit) return;
  if (
    appOf(template.app)
      .optionsSetBy(JSON.parse(template.arguments) as string[])
      .has('limit')
  )
    throw badField(sentField(rules.sent, 'limit'), 'field.limit_in_arguments');
};

/** Refuses arguments that would override an option which the template fixes or limits to a list. */
const checkArguments = (rules: Rules, template: Template, argumentsJson: string): void => {
  const set = appOf(template.app).optionsSetBy(JSON.parse(argumentsJson) as string[]);
  for (const name of set)
    if (name !== 'variables' && permitted(rules, name) !== 'any')
      throw badField('arguments', 'field.option_limited', { option: name });
};

/**
 * Resolves the options of a run: those of its template, changed by the request as far as the prompts permit.
 * @param sent the request as it came: an error names the field in which it has the option
 * @throws bad_input naming all wrong options
 */
export const launchOptions = async (
  tx: StateTransaction,
  template: Template,
  sent: LaunchRequest,
): Promise<LaunchOptions> => {
  const request = withParameters(sent);
  const rules = rulesOf(template, sent);
  const { options } = rules;
  const { project_id } = template;
  const ownBranch = await branchOf(tx, template);
  const ownVaults = vaultsOfTemplate(template);
  /** The value of an option, unless it is that of the template. */
  const unlessOwn = <Value>(name: PromptName, own: Value, given: Value | null | undefined): Value | null => {
    const value = resolve(rules, name, own, given);
    return value === own ? null : value;
  };
  const { resolved } = await checkTogether({
    arguments: () => checkArguments(rules, template, request.arguments),
    resolved: () =>
      checkTogether({
        limit: () => {
          checkLimit(rules, template, request);
          return resolve(rules, 'limit', options.limit, unlessEmpty(request.limit));
        },
        tags: () => resolve(rules, 'tags', options.tags, unlessEmpty(request.tags)),
        skip_tags: () => resolve(rules, 'skip_tags', options.skip_tags, request.skip_tags),
        verbosity: () => resolve(rules, 'verbosity', options.verbosity, givenVerbosity(request, options.verbosity)),
        forks: () => resolve(rules, 'forks', options.forks, request.forks),
        dry_run: () => resolve(rules, 'dry_run', options.dry_run, request.dry_run),
        diff: () => resolve(rules, 'diff', options.diff, request.diff),
        runner_tags: () => resolveRunnerTags(rules, request.runner_tags),
        priority: () => resolve(rules, 'priority', options.priority, request.priority),
        inventory_id: async () => {
          const id = resolve(rules, 'inventory_id', template.inventory_id, request.inventory_id);
          await checkOfProject(tx, 'inventory_id', 'inventory', id, project_id);
          return id;
        },
        environment_id: async () => {
          const id = resolve(rules, 'environment_id', template.environment_id, request.environment_id);
          await checkOfProject(tx, 'environment_id', 'environment', id, project_id);
          return id;
        },
        git_branch: () => unlessOwn('git_branch', ownBranch, unlessEmpty(request.git_branch)),
        vaults: async () => {
          const vaults = unlessOwn('vaults', ownVaults, request.vaults);
          if (vaults) await checkVaults(tx, project_id, vaults);
          return vaults;
        },
        max_duration: () => unlessOwn('max_duration', template.max_duration, request.max_duration),
      }),
  });
  const { runner_tags, inventory_id } = resolved;
  const tags = runner_tags.length > 0 ? runner_tags : await tagsOfInventory(tx, inventory_id);
  return { ...resolved, runner_tags: tags, permitsEveryCommit: rules.prompts.git_branch === 'any' };
};
