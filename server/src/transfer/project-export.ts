import type { Selectable } from 'kysely';
import type { StateReader } from '../database/database.ts';
import type { ProjectTable, StateSchema } from '../database/schema.ts';
import { readEnvironment } from '../execution-environments.ts';
import { redactUrl } from '../features/repositories/repository.policy.ts';
import { presentTemplate } from '../features/templates/template.store.ts';
import { findLabels } from '../features/templates/template-labels.ts';
import { rulesOf } from '../features/webhooks/webhook.store.ts';
import { decryptKeySecret } from '../secrets/key-secret.ts';
import type { MasterKey } from '../secrets/master-key.ts';
import { decryptReceiver } from '../secrets/receiver-secret.ts';
import { decryptVariable } from '../secrets/variable-secret.ts';
import { VERSION } from '../version.ts';
import type { ProjectFile, ProjectSecrets } from './project-file.ts';
import { nameEnvironment, namePrompts, nameSources, nameVaults } from './template-references.ts';

interface Named {
  readonly id: number;
  readonly name: string;
}

const namesOf = (rows: readonly Named[]) => {
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  return (id: number | null): string => names.get(id ?? 0) ?? '';
};

type OfProject =
  | 'access_key'
  | 'repository'
  | 'inventory'
  | 'environment'
  | 'view'
  | 'label'
  | 'template'
  | 'freeze_window'
  | 'saved_filter'
  | 'saved_launch'
  | 'schedule'
  | 'webhook'
  | 'alert_receiver';

const readRows = async (db: StateReader, projectId: number) => {
  const all = <T extends OfProject>(table: T) =>
    db
      .selectFrom(table as 'access_key')
      .selectAll()
      .where('project_id', '=', projectId)
      .orderBy('id')
      .execute() as unknown as Promise<Selectable<StateSchema[T]>[]>;
  const environments = await all('environment');
  const secrets = await db
    .selectFrom('environment_secret')
    .innerJoin('environment', 'environment.id', 'environment_secret.environment_id')
    .selectAll('environment_secret')
    .where('environment.project_id', '=', projectId)
    .orderBy('environment_secret.id')
    .execute();
  return {
    keys: await all('access_key'),
    repositories: await all('repository'),
    inventories: await all('inventory'),
    environments: environments.map((row) => ({
      ...row,
      secrets: secrets.filter(({ environment_id }) => environment_id === row.id),
    })),
    views: await all('view'),
    labels: await all('label'),
    labelsOf: await findLabels(db, { projectId }),
    templates: await all('template'),
    savedLaunches: (await all('saved_launch')).filter(({ user_id }) => user_id === null),
    savedFilters: (await all('saved_filter')).filter(({ user_id }) => user_id === null),
    schedules: await all('schedule'),
    scheduleSecrets: await db
      .selectFrom('schedule_secret')
      .innerJoin('schedule', 'schedule.id', 'schedule_secret.schedule_id')
      .select(['schedule_secret.schedule_id', 'schedule_secret.name'])
      .where('schedule.project_id', '=', projectId)
      .orderBy('schedule_secret.name')
      .execute(),
    webhooks: await all('webhook'),
    webhookSecrets: await db
      .selectFrom('webhook_secret')
      .innerJoin('webhook', 'webhook.id', 'webhook_secret.webhook_id')
      .select(['webhook_secret.webhook_id', 'webhook_secret.name'])
      .where('webhook.project_id', '=', projectId)
      .orderBy('webhook_secret.name')
      .execute(),
    freezeWindows: await all('freeze_window'),
    receivers: await all('alert_receiver'),
  };
};

type Rows = Awaited<ReturnType<typeof readRows>>;

/** Options of a launch that name objects by ids, which belong to one database. */
const OF_DATABASE = ['inventory_id', 'environment_id', 'vaults'];

const valuesOf = (json: string) => {
  const all = Object.entries(JSON.parse(json) as Record<string, unknown>);
  const isLost = ([name, value]: readonly [string, unknown]) => OF_DATABASE.includes(name) && value !== null;
  return {
    launch_values: Object.fromEntries(all.filter(([name]) => !OF_DATABASE.includes(name))),
    lost_values: all.filter(isLost).map(([name]) => name),
  };
};

const templatesOf = ({ templates, inventories, environments, repositories, keys, views, labels, labelsOf }: Rows) => {
  const [inventory, environment, repository, key] = [inventories, environments, repositories, keys].map(namesOf);
  const view = namesOf(views.map(({ id, title }) => ({ id, name: title })));
  const template = namesOf(templates);
  const label = namesOf(labels);
  return templates.map((row) => {
    const {
      id: _id,
      project_id: _project,
      inventory_id,
      environment_id,
      repository_id,
      vault_key_id,
      vaults,
      execution_environment,
      prompts,
      survey_vars,
      view_id,
      labels: labelIds,
      build_template_id,
      last_task_id: _last,
      last_task: _task,
      ...input
    } = presentTemplate(row, null, labelsOf.get(row.id));
    return {
      ...input,
      inventory: inventory_id === null ? null : (inventory?.(inventory_id) ?? ''),
      environment: environment?.(environment_id) ?? '',
      repository: repository?.(repository_id) ?? '',
      vault_key: vault_key_id === null ? null : (key?.(vault_key_id) ?? ''),
      execution_environment: nameEnvironment(execution_environment, (id) => key?.(id) ?? ''),
      vaults: nameVaults(vaults, (id) => key?.(id) ?? ''),
      prompts: namePrompts(prompts, {
        inventory: (id) => inventory?.(id) ?? '',
        environment: (id) => environment?.(id) ?? '',
      }),
      survey_vars: nameSources(survey_vars, template),
      labels: labelIds.map(label),
      view: view_id === null ? null : view(view_id),
      build_template: build_template_id === null ? null : template(build_template_id),
    };
  });
};

/** Webhooks without their addresses and secrets. */
const webhooksOf = ({ webhooks, webhookSecrets, templates }: Rows): ProjectFile['webhooks'] => {
  const template = namesOf(templates);
  return webhooks.map((row) => ({
    name: row.name,
    template: template(row.template_id),
    sender_check: row.sender_check,
    signature_header: row.signature_header,
    delivery_header: row.delivery_header,
    matchers: rulesOf(row).matchers,
    extractors: rulesOf(row).extractors,
    ...valuesOf(row.launch_values),
    secret_answers: webhookSecrets.filter(({ webhook_id }) => webhook_id === row.id).map(({ name }) => name),
    active: row.active === 1,
  }));
};

const freezeWindowsOf = ({ freezeWindows, templates, inventories, labels }: Rows): ProjectFile['freeze_windows'] => {
  const [template, inventory, label] = [templates, inventories, labels].map(namesOf);
  const named = (of: typeof template, id: number | null) => (id === null ? null : (of?.(id) ?? ''));
  return freezeWindows.map(({ id: _id, project_id: _project, template_id, inventory_id, label_id, ...fields }) => ({
    ...fields,
    template: named(template, template_id),
    inventory: named(inventory, inventory_id),
    label: named(label, label_id),
  }));
};

const secretsOf = ({ keys, repositories, environments, receivers }: Rows, master: MasterKey): ProjectSecrets => ({
  keys: Object.fromEntries(
    keys.flatMap((row) => {
      const key = decryptKeySecret(master, row);
      return key.type === 'none' ? [] : [[row.name, key]];
    }),
  ),
  repositories: Object.fromEntries(
    repositories.flatMap(({ name, git_url }) => (redactUrl(git_url) === git_url ? [] : [[name, git_url]])),
  ),
  environments: Object.fromEntries(
    environments.map(({ name, secrets }) => [
      name,
      secrets.map((row) => ({ name: row.name, type: row.type, secret: decryptVariable(master, row) })),
    ]),
  ),
  alert_receivers: Object.fromEntries(receivers.map((row) => [row.name, decryptReceiver(master, row)])),
});

/**
 * Exports a project without secrets, and its secrets separately.
 * @param master undefined leaves the secrets out
 */
export const exportProject = async (
  db: StateReader,
  project: Selectable<ProjectTable>,
  master: MasterKey | undefined,
): Promise<{ readonly file: ProjectFile; readonly secrets: ProjectSecrets | undefined }> => {
  const rows = await readRows(db, project.id);
  const key = namesOf(rows.keys);
  const repository = namesOf(rows.repositories);
  const template = namesOf(rows.templates);
  const savedLaunch = namesOf(rows.savedLaunches);
  const file: ProjectFile = {
    signalbox_project: 1,
    version: VERSION,
    exported: new Date().toISOString(),
    project: {
      name: project.name,
      alert: project.alert === 1,
      alert_chat: project.alert_chat,
      alert_language: project.alert_language,
      alert_silent_hosts: project.alert_silent_hosts === 1,
      collect_facts: project.collect_facts === 1,
      keep_tasks_days: project.keep_tasks_days,
      keep_logs_days: project.keep_logs_days,
      keep_tasks_min: project.keep_tasks_min,
      max_parallel_tasks: project.max_parallel_tasks,
      execution_environment: nameEnvironment(readEnvironment(project.execution_environment), key),
    },
    keys: rows.keys.map(({ name, type }) => ({ name, type })),
    repositories: rows.repositories.map(({ name, git_url, git_branch, ssh_key_id }) => ({
      name,
      git_url: redactUrl(git_url),
      git_branch,
      ssh_key: key(ssh_key_id),
    })),
    inventories: rows.inventories.map(({ name, type, inventory, ssh_key_id, become_key_id, runner_tags }) => ({
      name,
      type,
      inventory,
      ssh_key: key(ssh_key_id),
      become_key: become_key_id === null ? null : key(become_key_id),
      runner_tags: JSON.parse(runner_tags) as string[],
    })),
    environments: rows.environments.map(({ name, json, env, secrets }) => ({
      name,
      json,
      env,
      secrets: secrets.map((secret) => ({ name: secret.name, type: secret.type })),
    })),
    views: rows.views.map(({ title, position, restricted }) => ({ title, position, restricted: restricted === 1 })),
    labels: rows.labels.map(({ name, colour }) => ({ name, colour })),
    templates: templatesOf(rows),
    saved_launches: rows.savedLaunches.map(({ name, template_id, launch_values }) => ({
      name,
      template: template(template_id),
      ...valuesOf(launch_values),
    })),
    saved_filters: rows.savedFilters.map(({ template_id, starter_id, ...row }) => ({
      ...{ name: row.name, search: row.search, status: row.status, end_reason: row.end_reason },
      ...{ days: row.days, from: row.from_day, to: row.to_day },
      template: template_id === null ? null : template(template_id),
      lost_values: starter_id === null ? [] : ['user_id'],
    })),
    schedules: rows.schedules.map((row) => ({
      name: row.name,
      template: template(row.template_id),
      cron_format: row.cron_format,
      run_at: row.run_at,
      interval_seconds: row.interval_seconds,
      own_timezone: row.own_timezone,
      starts_at: row.starts_at,
      ends_at: row.ends_at,
      overlap: row.overlap,
      jitter_seconds: row.jitter_seconds,
      ...valuesOf(row.launch_values),
      saved_launch: row.saved_launch_id === null ? null : savedLaunch(row.saved_launch_id),
      secret_answers: rows.scheduleSecrets.filter(({ schedule_id }) => schedule_id === row.id).map(({ name }) => name),
      repository: row.repository_id === null ? null : repository(row.repository_id),
      active: row.active === 1,
    })),
    webhooks: webhooksOf(rows),
    freeze_windows: freezeWindowsOf(rows),
    alert_receivers: rows.receivers.map(({ name, kind, active }) => ({ name, kind, active: active === 1 })),
    secrets: null,
  };
  return { file, secrets: master && secretsOf(rows, master) };
};
