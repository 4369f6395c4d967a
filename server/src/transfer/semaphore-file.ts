import { AppName, appOf, DEFAULT_APP, RunnerTags } from '@signalbox/contract';
import { z } from 'zod';
import { VERSION } from '../version.ts';
import type { ProjectFile } from './project-file.ts';
import { importOptions, importVaults, KEPT_OPTIONS } from './semaphore-options.ts';
import { importSurvey } from './semaphore-survey.ts';
import { SemaphoreIntegration, webhooksOf } from './semaphore-webhooks.ts';

const text = z.string().nullish();
const flag = z.boolean().nullish();
const list = <S extends z.ZodType>(item: S) => z.array(item).nullish();

const SemaphoreTemplate = z.looseObject({
  name: z.string(),
  playbook: text,
  description: text,
  type: text,
  app: text,
  arguments: text,
  inventory: text,
  repository: text,
  environment: text,
  view: text,
  vault_key: text,
  vaults: list(z.looseObject({ vault_key: text, type: text, script: text })),
  build_template: text,
  start_version: text,
  autorun: flag,
  allow_override_args_in_task: flag,
  allow_parallel_tasks: flag,
  suppress_success_alerts: flag,
  survey_vars: z.unknown().optional(),
  cron: text,
  task_params: z.unknown().optional(),
  limit: z.unknown().optional(),
  tags: z.unknown().optional(),
  skip_tags: z.unknown().optional(),
  allow_override_branch_in_task: flag,
});

/** The format of a project backup, as described in the API documentation of Semaphore UI. */
export const SemaphoreFile = z.looseObject({
  meta: z.looseObject({ name: z.string(), alert: flag, alert_chat: text, max_parallel_tasks: z.number().nullish() }),
  keys: list(z.looseObject({ name: z.string(), type: z.string() })),
  repositories: list(z.looseObject({ name: z.string(), git_url: z.string(), git_branch: text, ssh_key: text })),
  inventories: list(
    z.looseObject({ name: z.string(), type: z.string(), inventory: text, ssh_key: text, become_key: text }),
  ),
  environments: list(
    z.looseObject({
      name: z.string(),
      json: text,
      env: text,
      password: text,
      secrets: list(z.looseObject({ name: z.string(), type: text })),
    }),
  ),
  views: list(z.looseObject({ title: text, name: text, position: z.number().nullish() })),
  templates: list(SemaphoreTemplate),
  schedules: list(
    z.looseObject({ name: text, template: text, cron_format: text, active: flag, type: text, run_at: text }),
  ),
  integrations: list(SemaphoreIntegration),
});
type SemaphoreFile = z.infer<typeof SemaphoreFile>;
type SemaphoreTemplate = z.infer<typeof SemaphoreTemplate>;

type Note = (reason: string) => void;

const TAKEN = new Set(Object.keys(SemaphoreFile.shape));
/** Fields of templates that Signalbox does not support. */
const UNSUPPORTED_KINDS = [
  'git_branch',
  'working_directory',
  'suppress_error_alerts',
  'task_params',
  'executor_image',
  'runner_tag',
];

/** Lost fields that decide which hosts or which code a task uses. */
const CHANGES_RUN = new Set(['git_branch', 'working_directory', 'task_params', 'executor_image', 'runner_tag']);

const isSet = (value: unknown): boolean => {
  if (value === null || value === undefined || value === '' || value === '.' || value === false) return false;
  if (Array.isArray(value)) return value.length > 0;
  return typeof value !== 'object' || Object.values(value).some(isSet);
};

/** The task parameters of a template that change its runs and are not kept. The toggles only control what a task may override. */
const lostParameters = (parameters: unknown): unknown =>
  typeof parameters === 'object' && parameters !== null
    ? Object.entries(parameters)
        .filter(([name]) => !name.startsWith('allow_') && !KEPT_OPTIONS.has(name))
        .map(([, value]) => value as unknown)
    : parameters;

/** Key for objects that refer to none. */
const NO_KEY = 'None';
const NO_ENVIRONMENT = 'Empty';

const keysOf = ({ keys }: SemaphoreFile, note: Note): ProjectFile['keys'] => {
  const taken = (keys ?? []).flatMap(({ name, type }) => {
    if (type === 'ssh' || type === 'login_password' || type === 'none') return [{ name, type } as const];
    note(`The key ${name} is left out: Signalbox has no keys of type ${type}.`);
    return [];
  });
  return taken.some(({ name }) => name === NO_KEY) ? taken : [...taken, { name: NO_KEY, type: 'none' as const }];
};

const vaultsOf = ({ name, vault_key, vaults }: SemaphoreTemplate, note: Note) => {
  const imported = importVaults(vaults ?? [], () =>
    note(`A vault of the template ${name} is left out: Signalbox does not support vault passwords from scripts.`),
  );
  return { ...imported, vault_key: imported.vault_key ?? (vault_key || null) };
};

const templatesOf = (file: SemaphoreFile, note: Note): ProjectFile['templates'] =>
  (file.templates ?? []).flatMap((one) => {
    const app = AppName.safeParse(one.app || DEFAULT_APP).data;
    if (app === undefined) {
      note(`The template ${one.name} is left out: Signalbox has no app ${one.app}.`);
      return [];
    }
    const runnerTags = RunnerTags.safeParse(isSet(one.runner_tag) ? [one.runner_tag] : []);
    const lost = UNSUPPORTED_KINDS.filter((name) => {
      if (name === 'runner_tag') return !runnerTags.success;
      return isSet(name === 'task_params' ? lostParameters(one[name]) : one[name]);
    });
    for (const field of lost) note(`The template ${one.name} loses ${field}, which Signalbox does not support.`);
    const lost_at_import = lost.filter((name) => CHANGES_RUN.has(name));
    if (lost_at_import.length > 0)
      note(`No schedule and no webhook starts the template ${one.name} until a user has checked it and saved it once.`);
    if (!one.environment) note(`The template ${one.name} gets the environment ${NO_ENVIRONMENT}, because it had none.`);
    return [
      {
        name: one.name,
        app,
        description: one.description ?? '',
        type: one.type === 'build' || one.type === 'deploy' ? one.type : '',
        playbook: one.playbook ?? '',
        arguments: one.arguments ?? '[]',
        inventory: appOf(app).features.inventory ? (one.inventory ?? '') : null,
        environment: one.environment || NO_ENVIRONMENT,
        execution_environment: null,
        repository: one.repository ?? '',
        ...vaultsOf(one, note),
        ...importOptions(
          one.task_params,
          { ...one, runner_tags: runnerTags.data ?? [] },
          one.allow_override_branch_in_task === true,
        ),
        view: one.view || null,
        labels: [],
        build_template: one.build_template || null,
        start_version: one.start_version || null,
        autorun: one.autorun ?? false,
        allow_override_args_in_task: one.allow_override_args_in_task ?? false,
        allow_parallel_tasks: one.allow_parallel_tasks ?? false,
        suppress_success_alerts: one.suppress_success_alerts ?? false,
        survey_vars: importSurvey(one.name, one.survey_vars, note),
        lost_at_import,
      },
    ];
  });

/** What schedules of Semaphore UI do not have. */
const BARE = { repository: null, jitter_seconds: 0, secret_answers: [], lost_values: [] };

const schedulesOf = (file: SemaphoreFile, note: Note): ProjectFile['schedules'] => {
  const own = (file.schedules ?? []).flatMap((one) => {
    const isOnce = one.type === 'run_at';
    const [cron_format, run_at] = isOnce ? ['', one.run_at] : [one.cron_format, null];
    if (!(isOnce ? run_at : cron_format) || !one.template) {
      note(`The schedule ${one.name ?? ''} is left out: it has no cron and no time, or no template.`);
      return [];
    }
    const { name, template, active } = one;
    return [{ ...BARE, name: name ?? '', template, cron_format: cron_format ?? '', run_at, active: active ?? true }];
  });
  const ofTemplates = (file.templates ?? []).flatMap(({ name, cron }) =>
    cron ? [{ ...BARE, name: '', template: name, cron_format: cron, active: true }] : [],
  );
  return [...own, ...ofTemplates];
};

const environmentsOf = (file: SemaphoreFile, note: Note): ProjectFile['environments'] => {
  const taken = (file.environments ?? []).map(({ name, json, env, password, secrets }) => {
    if (password) note(`The password of the environment ${name} is left out: Signalbox does not support it.`);
    const named = (secrets ?? []).map((secret) => ({
      name: secret.name,
      type: secret.type === 'env' ? ('env' as const) : ('var' as const),
    }));
    return { name, json: json || '{}', env: env || '{}', secrets: named };
  });
  const isMissing = (file.templates ?? []).some(({ environment }) => !environment);
  return isMissing && !taken.some(({ name }) => name === NO_ENVIRONMENT)
    ? [...taken, { name: NO_ENVIRONMENT, json: '{}', env: '{}', secrets: [] }]
    : taken;
};

/** Converts a project backup of Semaphore UI into a project file. Reports everything that is lost. */
export const fromSemaphore = (file: SemaphoreFile, note: Note): ProjectFile => {
  for (const [name, value] of Object.entries(file))
    if (!TAKEN.has(name) && isSet(value))
      note(
        `${name} is left out${Array.isArray(value) ? `, all ${value.length} of it` : ''}: Signalbox does not support it.`,
      );
  const keys = keysOf(file, note);
  const typeOf = new Map(keys.map(({ name, type }) => [name, type]));
  const becomeKey = (inventory: string, name: string | null | undefined): string | null => {
    if (!name || typeOf.get(name) === 'none') return null;
    if (typeOf.get(name) === 'login_password') return name;
    note(`The inventory ${inventory} loses its become key ${name}, which has no password.`);
    return null;
  };
  return {
    signalbox_project: 1,
    version: VERSION,
    exported: new Date().toISOString(),
    project: {
      name: file.meta.name,
      alert: file.meta.alert ?? false,
      alert_chat: file.meta.alert_chat ?? '',
      alert_language: 'en',
      alert_silent_hosts: false,
      collect_facts: true,
      keep_tasks_days: null,
      keep_logs_days: null,
      keep_tasks_min: null,
      max_parallel_tasks: file.meta.max_parallel_tasks ?? 0,
      execution_environment: null,
    },
    keys,
    repositories: (file.repositories ?? []).map(({ name, git_url, git_branch, ssh_key }) => ({
      name,
      git_url,
      git_branch: git_branch ?? '',
      ssh_key: ssh_key || NO_KEY,
    })),
    inventories: (file.inventories ?? []).map(({ name, type, inventory, ssh_key, become_key }) => ({
      name,
      type,
      inventory: inventory ?? '',
      ssh_key: ssh_key || NO_KEY,
      become_key: becomeKey(name, become_key),
      runner_tags: [],
    })),
    environments: environmentsOf(file, note),
    labels: [],
    freeze_windows: [],
    views: (file.views ?? []).map(({ title, name, position }, index) => ({
      title: title || name || '',
      position: position ?? index,
      restricted: false,
      approval: 'none',
    })),
    templates: templatesOf(file, note),
    saved_filters: [],
    saved_launches: [],
    schedules: schedulesOf(file, note),
    webhooks: webhooksOf(file.integrations ?? [], note),
    alert_receivers: [],
    secrets: null,
  };
};
