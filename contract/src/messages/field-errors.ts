import type { ErrorPart } from './error-parts.ts';
import type { MessageArguments, MessageOf, Params } from './message.ts';

/**
 * What is wrong with a field, with the names of the parameters. The texts of `field.*` follow the name of the field, as in
 * `name is required`. The other texts are complete on their own.
 */
export const FIELD_MESSAGES = {
  'field.required': [],
  'field.type': ['type'],
  'field.body_type': ['type'],
  'field.choice': ['values'],
  'field.invalid': [],
  'field.unknown_key': [],
  'field.too_long': ['max'],
  'field.too_short': ['min'],
  'field.max_entries': ['max'],
  'field.min_entries': ['min'],
  'field.too_big': ['max'],
  'field.too_small': ['min'],
  'field.id': [],
  'field.whole': ['min', 'max'],
  'field.integer': [],
  'field.nul': [],
  'field.half_character': [],
  'field.one_line': [],
  'field.invisible': [],
  'field.alphabets': [],
  'field.math_letters': [],
  'field.not_visible': [],
  'field.plain_characters': [],
  'field.moment': [],
  'field.future': [],
  'field.after': ['other'],
  'field.too_long_time': ['max'],
  'field.time_zone': [],
  'field.zone_in_cron': [],
  'field.no_due_time': [],
  'field.combined': ['other'],
  'field.json_object': [],
  'field.json_texts': [],
  'field.too_deep': ['max'],
  'field.simple_values': [],
  'field.variable_names': [],
  'field.variable_name': [],
  'field.variable_twice': [],
  'field.vault_name': [],
  'field.vault_twice': [],
  'field.choice_twice': ['value'],
  'field.choice_comma': [],
  'field.default': [],
  'field.secret_default': [],
  'field.earlier_variable': [],
  'field.pattern': [],
  'field.max_below_min': [],
  'field.number_needed': [],
  'field.negative': [],
  'field.host_pattern': [],
  'field.tag': [],
  'field.runner_tag': [],
  'field.header_name': [],
  'field.json_path': [],
  'field.choice_address': [],
  'field.not_in_survey': [],
  'field.secret_answer': [],
  'field.commit': [],
  'field.branch': [],
  'field.path': [],
  'field.git_url': [],
  'field.git_password': [],
  'field.git_http': [],
  'field.web_address': [],
  'field.email': [],
  'field.token': [],
  'field.token_run': [],
  'field.token_metrics': [],
  'field.own_project': [],
  'field.own_template': [],
  'field.password_name': [],
  'field.password_common': [],
  'field.external_password': [],
  'field.external_user': [],
  'field.service_account': [],
  'field.foreign_email': [],
  'field.code_wrong': [],
  'field.not_of_project': [],
  'field.not_of_template': [],
  'field.not_user': [],
  'field.not_view': [],
  'field.not_role': [],
  'field.one_of': ['fields'],
  'field.granted': ['value'],
  'field.grant_run': [],
  'field.grant_view': [],
  'field.fixed_role': ['role'],
  'field.not_secret': [],
  'field.other_address': [],
  'field.differs': ['other'],
  'field.not_supported': ['instead'],
  'field.not_allowed': [],
  'field.not_of_app': ['app'],
  'field.as_template': ['value'],
  'field.option_limited': ['option'],
  'field.limit_in_arguments': [],
  'field.inventory_in_arguments': [],
  'field.variables_in_arguments': [],
  'field.empty_as_template': [],
  'field.build': [],
  'field.build_template': [],
  'field.stays_build': ['name'],
  'field.login_key': [],
  'field.password_key': [],
  'field.type_with_secret': [],
  'field.repository_needed': [],
  'answer.required': ['title'],
  'answer.integer': ['title'],
  'answer.text': ['title'],
  'answer.decimal': ['title'],
  'answer.boolean': ['title'],
  'answer.choice': ['title'],
  'answer.choices': ['title'],
  'answer.date': ['title'],
  'answer.moment': ['title'],
  'answer.too_short': ['title', 'min'],
  'answer.too_long': ['title', 'max'],
  'answer.too_small': ['title', 'min'],
  'answer.too_big': ['title', 'max'],
  'answer.min_choices': ['title', 'min'],
  'answer.max_choices': ['title', 'max'],
  'answer.pattern': ['title', 'pattern'],
  'answer.own_message': ['title', 'message'],
  'answer.not_asked': ['title'],
  'answer.fixed_alone': ['title', 'other'],
  'answer.was_secret': ['title'],
  'key.public': [],
  'password.wrong': [],
} as const;

export type FieldCode = keyof typeof FIELD_MESSAGES;

/** What is wrong with a field. */
export type FieldMessage = MessageOf<typeof FIELD_MESSAGES, ErrorPart>;

export type FieldMessageArguments = MessageArguments<typeof FIELD_MESSAGES, ErrorPart>;

export const isFieldCode = (code: string): code is FieldCode => Object.hasOwn(FIELD_MESSAGES, code);

/**
 * The error of a check of zod: its message is the code. Only `refine` keeps the parameters, so the messages of other checks
 * have none.
 */
export const fieldError = (...[code, params]: FieldMessageArguments): { error: FieldCode; params?: Params } =>
  params ? { error: code, params } : { error: code };

/** The same as an issue for `superRefine`. */
export const fieldIssue = (...message: FieldMessageArguments) => {
  const { error, params } = fieldError(...message);
  return { code: 'custom', message: error, ...(params ? { params } : {}) } as const;
};
