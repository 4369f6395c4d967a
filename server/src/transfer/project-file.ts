import { Language, ReceiverKind } from '@signalbox/contract';
import { z } from 'zod';
import { PassphraseBox } from '../secrets/passphrase-box.ts';
import { ReceiverAddress } from '../secrets/receiver-secret.ts';

const Text = z.string();
const OneOrSome = z.union([z.enum(['fixed', 'any']), z.array(Text)]);
const NamedSecret = z.object({ name: Text, type: z.enum(['var', 'env']) });

/** An execution environment, with the name of the key of its registry. */
const Environment = z.looseObject({ kind: Text, registry_key: Text.nullish() });

/**
 * The file format of a project. Objects refer to each other by name, because ids belong to one database. Values are
 * validated when they are imported.
 */
export const ProjectFile = z.object({
  signalbox_project: z.literal(1),
  version: Text,
  exported: Text,
  project: z.object({
    name: Text,
    alert: z.boolean(),
    alert_chat: Text,
    alert_language: Language.default('en'),
    alert_silent_hosts: z.boolean().default(false),
    collect_facts: z.boolean().default(true),
    keep_tasks_days: z.number().nullable().default(null),
    keep_logs_days: z.number().nullable().default(null),
    keep_tasks_min: z.number().nullable().default(null),
    max_parallel_tasks: z.number(),
    execution_environment: Environment.nullable().default(null),
  }),
  keys: z.array(z.object({ name: Text, type: z.enum(['ssh', 'login_password', 'none']) })),
  repositories: z.array(z.object({ name: Text, git_url: Text, git_branch: Text, ssh_key: Text })),
  inventories: z.array(
    z.object({
      name: Text,
      type: Text,
      inventory: Text,
      ssh_key: Text,
      become_key: Text.nullable(),
      runner_tags: z.array(Text).default([]),
    }),
  ),
  environments: z.array(z.object({ name: Text, json: Text, env: Text, secrets: z.array(NamedSecret) })),
  views: z.array(z.object({ title: Text, position: z.number(), restricted: z.boolean().default(false) })),
  /** Missing in files of earlier versions. */
  labels: z.array(z.object({ name: Text, colour: Text })).default([]),
  templates: z.array(
    z.looseObject({
      name: Text,
      type: Text,
      /** Null for an app without inventories. */
      inventory: Text.nullable(),
      environment: Text,
      repository: Text,
      vault_key: Text.nullable(),
      /** Missing in files of earlier versions. */
      vaults: z.array(z.object({ name: Text, vault_key: Text })).default([]),
      execution_environment: Environment.nullable().default(null),
      prompts: z.looseObject({ inventory: OneOrSome.optional(), environment: OneOrSome.optional() }).default({}),
      survey_vars: z
        .array(z.looseObject({ source: z.looseObject({ template: Text.nullish() }).nullish() }))
        .default([]),
      view: Text.nullable(),
      /** Missing in files of earlier versions. */
      labels: z.array(Text).default([]),
      build_template: Text.nullable(),
      /** Fields that an earlier import could not keep. */
      lost_at_import: z.array(Text).default([]),
    }),
  ),
  /** Those that are shared. Missing in files of earlier versions. */
  saved_launches: z
    .array(
      z.object({
        name: Text,
        template: Text,
        launch_values: z.record(z.string(), z.unknown()),
        lost_values: z.array(Text).default([]),
      }),
    )
    .default([]),
  /** Those that are shared. Missing in files of earlier versions. */
  saved_filters: z
    .array(
      z.object({
        name: Text,
        search: Text,
        status: Text.nullable(),
        end_reason: Text.nullable(),
        template: Text.nullable(),
        /** The days are missing in files of earlier versions. */
        days: z.number().nullable().default(null),
        from: Text.nullable().default(null),
        to: Text.nullable().default(null),
        lost_values: z.array(Text).default([]),
      }),
    )
    .default([]),
  schedules: z.array(
    z.object({
      name: Text,
      template: Text,
      cron_format: Text,
      run_at: Text.nullish(),
      interval_seconds: z.number().nullish(),
      own_timezone: Text.nullish(),
      starts_at: Text.nullish(),
      ends_at: Text.nullish(),
      overlap: Text.nullish(),
      jitter_seconds: z.number().default(0),
      launch_values: z.record(z.string(), z.unknown()).nullish(),
      /** Name of the saved launch that has the values instead. */
      saved_launch: Text.nullish(),
      /** Options that name objects by ids, which the file does not contain. */
      lost_values: z.array(Text).default([]),
      /** Names of secret answers, which the file does not contain. */
      secret_answers: z.array(Text).default([]),
      repository: Text.nullable(),
      active: z.boolean(),
    }),
  ),
  /** Without addresses and secrets. Missing in files of earlier versions. */
  webhooks: z
    .array(
      z.object({
        name: Text,
        template: Text,
        sender_check: Text,
        signature_header: Text,
        delivery_header: Text,
        matchers: z.array(z.object({ source: Text, path: Text, method: Text, value: Text })),
        extractors: z.array(z.object({ source: Text, path: Text, pattern: Text, target: Text, variable: Text })),
        launch_values: z.record(z.string(), z.unknown()).nullish(),
        lost_values: z.array(Text).default([]),
        secret_answers: z.array(Text).default([]),
        active: z.boolean(),
      }),
    )
    .default([]),
  /** Missing in files of earlier versions. */
  freeze_windows: z
    .array(
      z.object({
        name: Text,
        reason: Text,
        template: Text.nullable(),
        inventory: Text.nullable(),
        label: Text.nullable(),
        starts_at: Text.nullable(),
        ends_at: Text.nullable(),
        cron_format: Text,
        duration_seconds: z.number().nullable(),
        timezone: Text,
        scheduled_runs: Text,
      }),
    )
    .default([]),
  /** Their addresses are as secret as passwords, so they are among the secrets. */
  alert_receivers: z.array(z.object({ name: Text, kind: ReceiverKind, active: z.boolean() })).default([]),
  /** Secrets that only the passphrase decrypts; null in a file without secrets. */
  secrets: PassphraseBox.nullable(),
});
export type ProjectFile = z.infer<typeof ProjectFile>;

/** The decrypted secrets, by the names of the objects. */
export const ProjectSecrets = z.object({
  keys: z.record(
    z.string(),
    z.discriminatedUnion('type', [
      z.object({ type: z.literal('ssh'), login: Text, private_key: Text, passphrase: Text }),
      z.object({ type: z.literal('login_password'), login: Text, password: Text }),
    ]),
  ),
  /** Addresses that contain a user name or password. */
  repositories: z.record(z.string(), Text),
  environments: z.record(z.string(), z.array(z.object({ name: Text, type: Text, secret: Text }))),
  alert_receivers: z.record(z.string(), ReceiverAddress).default({}),
});
export type ProjectSecrets = z.infer<typeof ProjectSecrets>;

/** Purpose of the box with the secrets. */
export const SECRETS_PURPOSE = 'signalbox project secrets';
