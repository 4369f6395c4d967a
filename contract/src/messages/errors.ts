import type { ErrorKind } from '../errors.ts';
import { type CronMessage, ERROR_PARTS, type ErrorPart } from './error-parts.ts';
import { FIELD_MESSAGES, type FieldMessage } from './field-errors.ts';
import type { MessageArguments, MessageOf } from './message.ts';

/**
 * Every error of a call, with the names of its parameters. A code is a kind of `ERRORS`, or a kind, a dot and a detail.
 * The kind decides the status.
 */
const ANSWER_MESSAGES = {
  bad_input: [],
  'bad_input.not_http': [],
  'bad_input.address': [],
  'bad_input.body_length': [],
  'bad_input.cron': ['why'],
  bad_json: [],
  'bad_json.empty': [],
  'bad_json.too_deep': ['max'],
  'bad_json.too_many_values': ['max'],
  'bad_json.forbidden_key': ['key'],
  wrong_content_type: [],
  wrong_origin: [],
  not_signed_in: [],
  'not_signed_in.expired': [],
  wrong_login: [],
  second_factor_needed: [],
  wrong_code: [],
  second_factor_due: [],
  not_permitted: [],
  'not_permitted.admins_only': [],
  'not_permitted.admin_fields': ['fields'],
  'not_permitted.new_project': [],
  'not_permitted.api_token': [],
  'not_permitted.restriction': [],
  'not_permitted.token_scope': ['needed'],
  'not_permitted.token_projects': [],
  'not_permitted.token_template': [],
  'not_permitted.old_sign_in': [],
  'not_permitted.password_sign_in': [],
  'not_permitted.commit': [],
  'not_permitted.argument': ['argument'],
  /** `until` is a moment. */
  'not_permitted.frozen': ['window', 'why', 'until'],
  'not_permitted.variables': ['names'],
  'not_permitted.delete_self': [],
  'not_permitted.demote_self': [],
  'not_permitted.second_factor_off': [],
  'not_permitted.second_factor_at_provider': [],
  'not_permitted.own_second_factor': [],
  not_found: [],
  'conflict.changed': [],
  'conflict.parent_deleted': [],
  'conflict.project_not_empty': [],
  'conflict.task_not_ended': ['id'],
  'conflict.task_ended': ['id'],
  'conflict.user_changed': [],
  'conflict.only_owner': ['user', 'projects'],
  'conflict.service_account_needed': [],
  'conflict.username_taken': [],
  'conflict.email_taken': [],
  'conflict.own_email_taken': [],
  'conflict.email_missing': [],
  'conflict.email_confirmed': [],
  'conflict.email_not_confirmed': [],
  'conflict.email_link': [],
  'conflict.owner_leaves': [],
  'conflict.owner_needed': [],
  'conflict.member_exists': [],
  'conflict.alert_receiver_name_taken': ['name'],
  'conflict.environment_name_taken': ['name'],
  'conflict.inventory_name_taken': ['name'],
  'conflict.key_name_taken': ['name'],
  'conflict.freeze_window_name_taken': ['name'],
  'conflict.label_name_taken': ['name'],
  'conflict.repository_name_taken': ['name'],
  'conflict.role_name_taken': ['name'],
  'conflict.runner_name_taken': ['name'],
  'conflict.template_name_taken': ['name'],
  'conflict.view_name_taken': ['name'],
  'conflict.schedule_exists': [],
  'conflict.saved_launch_name_taken': ['name'],
  'conflict.saved_filter_name_taken': ['name'],
  'conflict.webhook_name_taken': ['name'],
  'conflict.webhook_call_incomplete': [],
  'conflict.secret_twice': [],
  'conflict.alert_receivers_full': ['max'],
  'conflict.labels_full': ['max'],
  'conflict.freeze_windows_full': ['max'],
  /** `until` is a moment. */
  'conflict.frozen': ['window', 'why', 'until'],
  /** For tasks that no user starts. */
  'conflict.frozen_automatic': ['window', 'why', 'until'],
  'conflict.saved_launches_full': ['max'],
  'conflict.saved_filters_full': ['max'],
  'conflict.roles_full': ['max'],
  'conflict.grants_full': ['max'],
  'conflict.second_factor_on': [],
  'conflict.second_factor_missing': [],
  'conflict.second_factor_missing_of': ['user'],
  'conflict.second_factor_not_begun': [],
  'conflict.no_build': [],
  'conflict.template_lost_at_import': ['what'],
  'conflict.inventory_repository': [],
  'conflict.inventory_unreadable': [],
  'conflict.repository_unreadable': [],
  'conflict.choices': ['title'],
  'conflict.choice_address': ['title'],
  'conflict.choice_request': ['title', 'detail'],
  'conflict.choice_list': ['title'],
  'conflict.runner_text': ['text'],
  'conflict.runner_answer': ['reason'],
  'conflict.local_runner': [],
  'conflict.key_unreadable': [],
  'in_use.template': [],
  'in_use.inventory': [],
  'in_use.environment': [],
  'in_use.repository': [],
  'in_use.key': [],
  'in_use.view': [],
  'in_use.role': [],
  'in_use.label': [],
  'in_use.freeze_window': [],
  'in_use.saved_launch': [],
  'in_use.saved_filter': [],
  'in_use.schedule': [],
  'in_use.webhook': [],
  'in_use.alert_receiver': [],
  'in_use.password_key': ['user'],
  too_large: [],
  'too_large.body': ['max'],
  too_slow: [],
  'headers_too_large.bytes': ['max'],
  'headers_too_large.number': ['number', 'max'],
  'too_many.sign_ins': [],
  'too_many.passwords': [],
  'too_many.codes': [],
  'too_many.emails': [],
  'too_many.alert_tests': [],
  'too_many.long_answers': [],
  'too_many.webhook_calls': [],
  'unavailable.stopping': [],
  'unavailable.database_full': [],
  'unavailable.database': [],
  'unavailable.page': [],
  'unavailable.directory': [],
  'unavailable.runner_for_inventory': [],
  'unavailable.runner_for_key': [],
  'unavailable.runner_for_repository': [],
  internal: ['id'],
} as const satisfies { readonly [Code in ErrorKind | `${ErrorKind}.${string}`]?: readonly string[] };

/** The code of an error as calls answer it. */
export type ErrorCode = keyof typeof ANSWER_MESSAGES;

type Part = ErrorPart | FieldMessage | CronMessage;

/** An error of a call. */
export type ErrorMessage = MessageOf<typeof ANSWER_MESSAGES, Part>;

export type ErrorMessageArguments = MessageArguments<typeof ANSWER_MESSAGES, Part>;

/** Every error message with the names of its parameters: of calls, of fields, and parts of both. */
export const ERROR_MESSAGES = { ...ANSWER_MESSAGES, ...FIELD_MESSAGES, ...ERROR_PARTS } as const;

/** The kind of an error: the part of its code before the dot. */
export const errorKind = (code: ErrorCode): ErrorKind => code.split('.')[0] as ErrorKind;

/** Errors that pass without a change of the request, with the seconds to wait before the next try. */
export const RETRY_AFTER_SECONDS: Readonly<Partial<Record<ErrorKind | ErrorCode, number>>> = {
  too_many: 15 * 60,
  'too_many.long_answers': 2,
  'too_many.webhook_calls': 60,
  unavailable: 2,
};
