import {
  type CronMessage,
  isPublicKey,
  LaunchValues,
  NewAlertReceiver,
  NewEnvironment,
  NewFreezeWindow,
  NewInventory,
  NewKey,
  NewLabel,
  NewProject,
  NewRepository,
  NewSavedFilter,
  NewSavedLaunch,
  NewSchedule,
  NewTemplate,
  NewView,
  NewWebhook,
  VariableName,
} from '@signalbox/contract';
import { fieldsText } from '@signalbox/lang';
import type { z } from 'zod';
import { type Actor, recordEvent } from '../audit/record-event.ts';
import type { StateTransaction } from '../database/database.ts';
import { insertReceiver } from '../features/alerts/receiver.store.ts';
import { insertEnvironment } from '../features/environment/environment.store.ts';
import { insertFreezeWindow } from '../features/freeze-windows/freeze-window.store.ts';
import { checkWindow } from '../features/freeze-windows/freeze-window-input.ts';
import { insertInventory } from '../features/inventory/inventory.store.ts';
import { insertKey } from '../features/keys/key.store.ts';
import { insertLabel } from '../features/labels/label.store.ts';
import { insertProject } from '../features/projects/project.store.ts';
import { insertRepository } from '../features/repositories/repository.store.ts';
import { insertSavedFilter } from '../features/saved-filters/saved-filter.store.ts';
import { insertSavedLaunch } from '../features/saved-launches/saved-launch.store.ts';
import { insertSchedule, labelOf } from '../features/schedules/schedule.store.ts';
import { checkTiming } from '../features/schedules/schedule-input.ts';
import { insertTemplate } from '../features/templates/template.store.ts';
import { insertView } from '../features/views/view.store.ts';
import { ApiError } from '../http/errors/api-error.ts';
import { english } from '../http/errors/english.ts';
import { FIELD_CHECKS } from '../http/errors/field-message.ts';
import type { DecryptedKey } from '../secrets/key-secret.ts';
import type { MasterKey } from '../secrets/master-key.ts';
import { encryptVariable } from '../secrets/variable-secret.ts';
import { StartError } from '../start-error.ts';
import { readSurvey, undeclaredVariables } from '../stored-answers/survey.ts';
import { firstError } from './first-error.ts';
import { type Login, splitAddress } from './login-in-address.ts';
import type { ProjectFile, ProjectSecrets } from './project-file.ts';
import { type Project, storeRegistryKey } from './registry-key.ts';
import { identifyEnvironment, identifyPrompts, identifySources, type NamedEnvironment } from './template-references.ts';
import { importWebhook } from './webhook-import.ts';

export interface ImportDeps {
  readonly tx: StateTransaction;
  readonly master: MasterKey;
  readonly timezone: string;
  readonly ownerId: number;
  readonly actor: Actor;
  readonly now: Date;
  /** Called with a text for each difference to the exported project. */
  readonly onNote: (text: string) => void;
}

/** The reason of a refusal without a full stop: that of a cron alone, others with the name of the field. */
const whyRefused = ({ params, fields = {} }: ApiError): string =>
  typeof params?.why === 'object' ? english(params.why as CronMessage) : fieldsText(fields, english, ' ');

/** An object that cannot be imported, with the reason. */
class LeftOut extends Error {
  override readonly name = 'LeftOut';
}

const NO_SECRETS: ProjectSecrets = { keys: {}, repositories: {}, environments: {}, alert_receivers: {} };

const emptyKey = (type: 'ssh' | 'login_password' | 'none'): DecryptedKey => {
  if (type === 'none') return { type };
  return type === 'ssh' ? { type, login: '', private_key: '', passphrase: '' } : { type, login: '', password: '' };
};

/** The ids of imported objects, by kind and name. */
class Imported {
  readonly #ids = new Map<string, number>();

  put(kind: string, name: string, id: number): void {
    this.#ids.set(`${kind}:${name}`, id);
  }

  has(kind: string, name: string): boolean {
    return this.#ids.has(`${kind}:${name}`);
  }

  id(kind: string, name: string): number {
    const id = this.#ids.get(`${kind}:${name}`);
    if (id === undefined) throw new LeftOut(`there is no ${kind} ${name || 'named'}`);
    return id;
  }

  optional(kind: string, name: string | null): number | null {
    return name === null ? null : this.id(kind, name);
  }
}

const checked = <S extends z.ZodType>(schema: S, input: unknown): z.output<S> => {
  const result = schema.safeParse(input, FIELD_CHECKS);
  if (result.success) return result.data;
  throw new LeftOut(firstError(result.error, 'its name'));
};

/** @throws LeftOut where the checks of a request refuse an object */
const orLeftOut = async <T>(make: () => Promise<T>): Promise<T> => {
  try {
    return await make();
  } catch (error) {
    if (error instanceof ApiError) throw new LeftOut(whyRefused(error));
    throw error;
  }
};

/** Imports a file as a new project, in one transaction. Objects that cannot be imported are left out and reported. */
export class ProjectImport {
  readonly #deps: ImportDeps;
  readonly #made = new Imported();
  readonly #types = new Map<string, string>();
  #projectId = 0;

  constructor(deps: ImportDeps) {
    this.#deps = deps;
  }

  /** @returns the id of the project */
  async run(file: ProjectFile, secrets: ProjectSecrets = NO_SECRETS): Promise<number> {
    const { tx, ownerId, actor, now } = this.#deps;
    const input = NewProject.safeParse(file.project, FIELD_CHECKS);
    if (!input.success) throw new StartError(`The project cannot be created: ${firstError(input.error)}.`);
    const project = await insertProject(tx, input.data, ownerId, now);
    this.#projectId = project.id;
    await recordEvent(tx, {
      actor,
      projectId: project.id,
      objectType: 'project',
      objectId: project.id,
      objectName: project.name,
      kind: 'project.imported',
      params: { name: project.name },
      at: now,
    });
    for (const key of file.keys) await this.#each('key', key.name, () => this.#key(key, secrets));
    const registry = file.project.execution_environment?.registry_key;
    if (registry) await this.#each('registry key', registry, () => this.#registryKey(project, registry));
    for (const one of file.repositories) await this.#each('repository', one.name, () => this.#repository(one, secrets));
    for (const one of file.inventories) await this.#each('inventory', one.name, () => this.#inventory(one));
    for (const one of file.environments)
      await this.#each('environment', one.name, () => this.#environment(one, secrets));
    for (const view of file.views) await this.#each('view', view.title, () => this.#view(view));
    for (const label of file.labels) await this.#each('label', label.name, () => this.#label(label));
    // Builds come first, because deploys refer to them.
    for (const one of file.templates.toSorted((a, b) => Number(b.type === 'build') - Number(a.type === 'build')))
      await this.#each('template', one.name, () => this.#template(one));
    for (const one of file.saved_launches)
      await this.#each('saved launch', `${one.template}: ${one.name}`, () => this.#savedLaunch(one));
    for (const one of file.saved_filters) await this.#each('saved filter', one.name, () => this.#savedFilter(one));
    for (const one of file.schedules)
      await this.#each('schedule', one.name || one.cron_format, () => this.#schedule(one), true);
    for (const one of file.webhooks)
      await this.#each('webhook', `${one.name.trim()} of the template ${one.template.trim()}`, () =>
        this.#webhook(one),
      );
    for (const one of file.freeze_windows) await this.#each('freeze window', one.name, () => this.#freezeWindow(one));
    for (const one of file.alert_receivers)
      await this.#each('alert receiver', one.name, () => this.#receiver(one, secrets));
    return project.id;
  }

  async #each(kind: string, name: string, make: () => Promise<number>, mayRepeat = false): Promise<void> {
    try {
      if (!mayRepeat && this.#made.has(kind, name.trim())) throw new LeftOut('the name is used twice');
      this.#made.put(kind, name.trim(), await make());
    } catch (error) {
      if (!(error instanceof LeftOut)) throw error;
      this.#deps.onNote(`The ${kind} ${name} is left out: ${error.message}.`);
    }
  }

  async #key({ name, type }: ProjectFile['keys'][number], secrets: ProjectSecrets): Promise<number> {
    const { tx, master, actor, now, onNote } = this.#deps;
    const known = Object.hasOwn(secrets.keys, name) ? secrets.keys[name] : undefined;
    if (known === undefined && type !== 'none')
      onNote(`The key ${name} has no secret, because the file contains none.`);
    const isPublic = known?.type === 'ssh' && isPublicKey(known.private_key);
    if (isPublic)
      onNote(`The key ${name} has no secret, because the file contains a public key instead of a private key.`);
    const secret: DecryptedKey = known?.type === type && !isPublic ? known : emptyKey(type);
    this.#types.set(name, type);
    const clean = checked(NewKey.shape.name, name);
    return (await insertKey(tx, master, this.#projectId, clean, secret, actor, now)).id;
  }

  async #repository(one: ProjectFile['repositories'][number], secrets: ProjectSecrets): Promise<number> {
    const { tx, actor, now } = this.#deps;
    const url = Object.hasOwn(secrets.repositories, one.name) ? secrets.repositories[one.name] : one.git_url;
    const { git_url, login } = splitAddress(url ?? one.git_url);
    const own = this.#made.id('key', one.ssh_key);
    const named = { name: one.name, git_url, git_branch: one.git_branch };
    const { ssh_key_id: _, ...rest } = checked(NewRepository, { ...named, ssh_key_id: own });
    const input = { ...rest, ssh_key_id: login === undefined ? own : await this.#loginKey(one, login) };
    return (await insertRepository(tx, this.#projectId, input, actor, now)).id;
  }

  /** A login in the address of a repository becomes a key, unless the repository already has a key with a login. */
  async #loginKey(one: ProjectFile['repositories'][number], login: Login): Promise<number> {
    const { tx, master, actor, now, onNote } = this.#deps;
    if (this.#types.get(one.ssh_key) === 'login_password') {
      onNote(`The repository ${one.name} loses the password in its address: its key ${one.ssh_key} has one.`);
      return this.#made.id('key', one.ssh_key);
    }
    let name = `Login of ${one.name}`.slice(0, 255);
    for (let number = 2; this.#made.has('key', name); number++) name = `Login ${number} of ${one.name}`.slice(0, 255);
    onNote(`The password in the address of the repository ${one.name} becomes the key ${name}.`);
    this.#types.set(name, 'login_password');
    const { id } = await insertKey(tx, master, this.#projectId, name, { type: 'login_password', ...login }, actor, now);
    this.#made.put('key', name, id);
    return id;
  }

  #passwordKey(name: string | null, what: string): number | null {
    if (name === null) return null;
    if (this.#types.get(name) !== 'login_password') throw new LeftOut(`its ${what} ${name} must hold a password`);
    return this.#made.id('key', name);
  }

  #executionEnvironment = (environment: NamedEnvironment | null): object | null =>
    identifyEnvironment(environment, (name) => this.#passwordKey(name, 'registry key'));

  #registryKey = (project: Project, name: string) =>
    storeRegistryKey(this.#deps.tx, project, this.#passwordKey(name, 'key'));

  async #inventory(one: ProjectFile['inventories'][number]): Promise<number> {
    const { tx, actor, now } = this.#deps;
    const input = checked(NewInventory, {
      name: one.name,
      type: one.type,
      inventory: one.inventory,
      ssh_key_id: this.#made.id('key', one.ssh_key),
      become_key_id: this.#passwordKey(one.become_key, 'become key'),
      runner_tags: one.runner_tags,
    });
    return (await insertInventory(tx, this.#projectId, input, actor, now)).id;
  }

  async #environment(one: ProjectFile['environments'][number], secrets: ProjectSecrets): Promise<number> {
    const { tx, master, actor, now, onNote } = this.#deps;
    const input = checked(NewEnvironment, { name: one.name, json: one.json, env: one.env });
    const known = Object.hasOwn(secrets.environments, one.name) ? (secrets.environments[one.name] ?? []) : [];
    const row = await insertEnvironment(tx, this.#projectId, input, actor, now);
    for (const { name, type } of new Map(
      one.secrets.map((secret) => [`${secret.type}:${secret.name}`, secret]),
    ).values()) {
      const message = VariableName.safeParse(name, FIELD_CHECKS).error;
      if (message) {
        onNote(`The secret variable ${name} of ${one.name} is left out: ${firstError(message, 'its name')}.`);
        continue;
      }
      const value = known.find((secret) => secret.name === name && secret.type === type)?.secret;
      if (value === undefined)
        onNote(
          `The secret variable ${name} of the environment ${one.name} is empty, because the file contains no value.`,
        );
      const variable = await tx
        .insertInto('environment_secret')
        .values({ environment_id: row.id, name, type, secret: '' })
        .returning('id')
        .executeTakeFirstOrThrow();
      const secret = encryptVariable(master, variable.id, value ?? '');
      await tx.updateTable('environment_secret').set({ secret }).where('id', '=', variable.id).execute();
    }
    return row.id;
  }

  async #view(view: ProjectFile['views'][number]): Promise<number> {
    const { tx, actor, now } = this.#deps;
    return (await insertView(tx, this.#projectId, checked(NewView, view), actor, now)).id;
  }

  async #label(label: ProjectFile['labels'][number]): Promise<number> {
    const { tx, actor, now } = this.#deps;
    return (await insertLabel(tx, this.#projectId, checked(NewLabel, label), actor, now)).id;
  }

  async #template(one: ProjectFile['templates'][number]): Promise<number> {
    const { tx, actor, now } = this.#deps;
    const { inventory, environment, repository, vault_key, view, build_template, lost_at_import, ...rest } = one;
    const { vaults, prompts, survey_vars, labels, execution_environment, ...fields } = rest;
    if (build_template !== null && this.#types.get(`template:${build_template}`) !== 'build')
      throw new LeftOut(`it builds on ${build_template}, which is not a build template`);
    const environment_id = this.#made.id('environment', environment);
    const input = checked(NewTemplate, {
      ...fields,
      vaults: vaults.map((vault) => ({
        name: vault.name,
        vault_key_id: this.#passwordKey(vault.vault_key, 'vault key'),
      })),
      execution_environment: this.#executionEnvironment(execution_environment),
      survey_vars: identifySources(survey_vars, (name) => this.#made.id('template', name)),
      prompts: identifyPrompts(prompts, (kind, name) => this.#made.id(kind, name)),
      inventory_id: this.#made.optional('inventory', inventory),
      environment_id,
      repository_id: this.#made.id('repository', repository),
      vault_key_id: this.#passwordKey(vault_key, 'vault key'),
      view_id: this.#made.optional('view', view),
      // A label that was left out was reported.
      labels: labels
        .filter((name) => this.#made.has('label', name.trim()))
        .map((name) => this.#made.id('label', name.trim())),
      build_template_id: this.#made.optional('template', build_template),
    });
    this.#types.set(`template:${one.name}`, input.type);
    return (await insertTemplate(tx, this.#projectId, { ...input, environment_id }, actor, now, lost_at_import)).id;
  }

  async #savedLaunch(one: ProjectFile['saved_launches'][number]): Promise<number> {
    const { tx, actor, now, onNote } = this.#deps;
    const input = checked(NewSavedLaunch, { name: one.name, launch_values: one.launch_values });
    const owner = { projectId: this.#projectId, templateId: this.#made.id('template', one.template), userId: null };
    const { id } = await insertSavedLaunch(tx, owner, input, actor, now);
    if (one.lost_values.length > 0)
      onNote(`The saved launch ${one.name} of the template ${one.template} has lost ${one.lost_values.join(', ')}.`);
    return id;
  }

  async #savedFilter({ name, template, lost_values, ...one }: ProjectFile['saved_filters'][number]): Promise<number> {
    const { tx, actor, now, onNote } = this.#deps;
    const template_id = this.#made.optional('template', template);
    const input = checked(NewSavedFilter, { name, filter: { ...one, template_id } });
    const { id } = await orLeftOut(() =>
      insertSavedFilter(tx, { projectId: this.#projectId, userId: null }, input, actor, now),
    );
    if (lost_values.length > 0) onNote(`The saved filter ${name} has lost ${lost_values.join(', ')}.`);
    return id;
  }

  /** Imports schedules paused: two installations must not run the same schedule, and the import may have changed its template. */
  async #schedule(one: ProjectFile['schedules'][number]): Promise<number> {
    const { tx, actor, now, timezone, onNote } = this.#deps;
    const { template: _template, repository: _repository, saved_launch, secret_answers, lost_values, ...rest } = one;
    const input = checked(NewSchedule, {
      ...rest,
      active: false,
      template_id: this.#made.id('template', one.template),
      repository_id: this.#made.optional('repository', one.repository),
      saved_launch_id: saved_launch == null ? null : this.#made.id('saved launch', `${one.template}: ${saved_launch}`),
    });
    await orLeftOut(async () => checkTiming(input, timezone, now, false));
    const values = LaunchValues.parse(input.launch_values ?? {});
    const survey = (await readSurvey(tx, input.template_id)) ?? [];
    // An owner imports, who may set variables that the survey does not have.
    const extra_variables = JSON.stringify(undeclaredVariables(survey, values.environment));
    const stored = { ...input, launch_values: JSON.stringify(values), extra_variables };
    const { id } = await insertSchedule(tx, this.#projectId, stored, timezone, actor, now);
    const lost = [...secret_answers, ...lost_values];
    if (lost.length > 0)
      onNote(`The schedule ${labelOf(input)} of the template ${one.template} has lost ${lost.join(', ')}.`);
    if (one.active)
      onNote(`The schedule ${labelOf(input)} of the template ${one.template} is paused: check it, then resume it.`);
    return id;
  }

  async #webhook(one: ProjectFile['webhooks'][number]): Promise<number> {
    const { template, secret_answers, lost_values, ...rest } = one;
    const input = checked(NewWebhook, { ...rest, template_id: this.#made.id('template', template) });
    const label = `The webhook ${input.name} of the template ${template}`;
    const lost = [...secret_answers, ...lost_values];
    return await orLeftOut(() => importWebhook(this.#deps, { projectId: this.#projectId, input, label, lost }));
  }

  async #freezeWindow(one: ProjectFile['freeze_windows'][number]): Promise<number> {
    const { tx, actor, now, timezone } = this.#deps;
    const { template, inventory, label, ...fields } = one;
    const given = checked(NewFreezeWindow, {
      ...fields,
      template_id: this.#made.optional('template', template),
      inventory_id: this.#made.optional('inventory', inventory),
      label_id: this.#made.optional('label', label),
    });
    return await orLeftOut(async () => {
      const input = checkWindow(given, timezone, now, false);
      return (await insertFreezeWindow(tx, this.#projectId, input, actor, now)).id;
    });
  }

  async #receiver(one: ProjectFile['alert_receivers'][number], secrets: ProjectSecrets): Promise<number> {
    const { tx, master, actor, now } = this.#deps;
    const address = Object.hasOwn(secrets.alert_receivers, one.name) ? secrets.alert_receivers[one.name] : undefined;
    if (!address) throw new LeftOut('its address is secret, and the file contains none');
    const input = checked(NewAlertReceiver, { ...one, ...address });
    return (await insertReceiver(tx, master, this.#projectId, input, actor, now)).id;
  }
}
