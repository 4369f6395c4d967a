import type { MessageArguments, MessageOf } from './message.ts';
import type { OwnReason } from './query-reasons.ts';

/** Cron fields, and alternatives to refused fields. They are parameters of other messages. */
const NOUN_MESSAGES = {
  'cron_field.minute': [],
  'cron_field.hour': [],
  'cron_field.day': [],
  'cron_field.month': [],
  'cron_field.weekday': [],
  'instead.task_params': [],
  'instead.other_template': [],
  'instead.secret_variables': [],
  'instead.runner_tags': [],
  'instead.runner_projects': [],
  'instead.ansible_only': [],
  'instead.repository_branch': [],
  'instead.template_options': [],
  'instead.environment': [],
  'instead.top_folder': [],
  'instead.runner_itself': [],
  'instead.schedule': [],
  'instead.delete_schedule': [],
  'instead.launch_values': [],
  'instead.launch_fields': [],
  'instead.template_repository': [],
  'instead.database_secrets': [],
  'instead.login_password': [],
  'instead.template_vault_key': [],
  'instead.pause_runner': [],
  'instead.runner_slots': [],
  'instead.start_runner': [],
} as const;

interface NounMessage {
  readonly code: keyof typeof NOUN_MESSAGES;
  readonly params?: Readonly<Record<string, never>>;
}

/** What is wrong with a cron. */
const CRON_MESSAGES = {
  'cron.empty_value': ['field', 'min', 'max'],
  'cron.value': ['field', 'min', 'max', 'text'],
  'cron.named_value': ['field', 'min', 'max', 'example', 'text'],
  'cron.extension': ['field', 'item'],
  'cron.item': ['field', 'item'],
  'cron.range': ['field', 'item'],
  'cron.step': ['field', 'item', 'max'],
  'cron.nickname': ['text', 'names'],
  'cron.seconds': [],
  'cron.fields': ['number'],
  'cron.every': [],
  'cron.every_not': ['duration'],
  'cron.every_range': [],
  'cron.zone': ['zone'],
  'cron.never': [],
} as const;

export type CronMessage = MessageOf<typeof CRON_MESSAGES, NounMessage>;

export type CronMessageArguments = MessageArguments<typeof CRON_MESSAGES, NounMessage>;

/** Why a runner could not answer a query. */
const QUERY_MESSAGES = {
  'query.inventory_unreadable': ['detail'],
  'query.inventory_output_invalid': [],
  'query.inventory_too_slow': [],
  'query.too_many_names': [],
  'query.fingerprint_unreadable': [],
  'query.failed': [],
} as const satisfies Readonly<Record<OwnReason['code'], readonly string[]>>;

/** Messages that only occur in other messages, with the names of their parameters. */
export const ERROR_PARTS = { ...NOUN_MESSAGES, ...CRON_MESSAGES, ...QUERY_MESSAGES } as const;

export type ErrorPart = NounMessage | CronMessage;

/** What to do instead of sending a refused field. */
export type Instead = Extract<keyof typeof NOUN_MESSAGES, `instead.${string}`>;
