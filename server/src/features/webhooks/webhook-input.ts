import { LaunchValues, type SurveyVariable } from '@signalbox/contract';
import type { StateTransaction } from '../../database/database.ts';
import { ApiError, badField, type FieldErrors } from '../../http/errors/api-error.ts';
import { parseJsonPath } from '../../json-path.ts';
import type { MasterKey } from '../../secrets/master-key.ts';
import type { CheckLaunchValues } from '../../stored-answers/launch-checks.ts';
import type { GivenValues } from '../../stored-answers/secret-answers.ts';
import { readSurvey } from '../../stored-answers/survey.ts';
import { findBadPattern } from '../../survey-pattern.ts';
import { type WebhookInput, webhookAnswers } from './webhook.store.ts';

/** Shorter secrets can be found by trying all of them against one captured signature. */
const MIN_SECRET = 8;

/** @throws bad_input unless the fields fit the check of the sender */
export const checkSender = (
  { sender_check: check, secret, signature_header }: WebhookInput,
  isSecretStored: boolean,
): void => {
  if (check === 'hmac' && signature_header === '') throw badField('signature_header', 'field.required');
  if (check !== 'hmac' && signature_header !== '') throw badField('signature_header', 'field.not_allowed');
  if (check === 'none') {
    if (secret !== '') throw badField('secret', 'field.not_allowed');
    return;
  }
  if (secret === '' && isSecretStored) return;
  if (secret === '') throw badField('secret', 'field.required');
  if (secret.length < MIN_SECRET) throw badField('secret', 'field.too_short', { min: MIN_SECRET });
};

type Rules = Pick<WebhookInput, 'matchers' | 'extractors'>;

const HEADER_NAME = /^[A-Za-z0-9-]+$/;

const checkPaths = (name: keyof Rules, rules: readonly { readonly source: string; readonly path: string }[]): void => {
  for (const [n, { source, path }] of rules.entries()) {
    if (source === 'header' && !HEADER_NAME.test(path)) throw badField(`${name}.${n}.path`, 'field.header_name');
    if (source === 'body' && parseJsonPath(path) === undefined) throw badField(`${name}.${n}.path`, 'field.json_path');
  }
};

/** @throws bad_input naming the rule whose path or pattern is not valid */
export const checkRules = async ({ matchers, extractors }: Rules): Promise<void> => {
  checkPaths('matchers', matchers);
  checkPaths('extractors', extractors);
  const patterns = [
    ...matchers.map(({ method, value }, n) => ({
      pattern: method === 'matches' ? value : '',
      field: `matchers.${n}.value`,
    })),
    ...extractors.map(({ pattern }, n) => ({ pattern, field: `extractors.${n}.pattern` })),
  ];
  const empty = matchers.findIndex(({ method, value }) => method === 'matches' && value === '');
  if (empty >= 0) throw badField(`matchers.${empty}.value`, 'field.required');
  const bad = patterns[(await findBadPattern(patterns)) ?? -1];
  if (bad) throw badField(bad.field, 'field.pattern');
};

/** @throws bad_input unless every answer belongs to a variable of the survey, and none of a call to a secret one */
const checkAnswers = (survey: readonly SurveyVariable[], { extractors, launch_values }: WebhookInput): void => {
  const types = new Map(survey.map(({ name, type }) => [name, type]));
  const check = (name: string, field: string): void => {
    if (!types.has(name)) throw badField(field, 'field.not_in_survey');
  };
  for (const [n, { target, variable }] of extractors.entries()) {
    if (target === 'answer') check(variable, `extractors.${n}.variable`);
    // A secret of a call would be stored with the call.
    if (types.get(variable) === 'secret') throw badField(`extractors.${n}.variable`, 'field.secret_answer');
    if (target !== 'answer' && variable !== '') throw badField(`extractors.${n}.variable`, 'field.not_allowed');
  }
  const fixed = JSON.parse(launch_values?.environment ?? '{}') as object;
  for (const name of Object.keys(fixed)) check(name, `launch_values.environment.${name}`);
};

export interface ValuesCheck {
  readonly projectId: number;
  readonly input: WebhookInput;
  /** Undefined for a new webhook. */
  readonly webhookId?: number;
}

/**
 * Completes what the tasks of a webhook are started with by its stored secret answers, and checks it with the rights of
 * a user who may only run tasks. An answer that a call gives may be missing.
 * @throws bad_input naming the field
 */
export const checkValues = async (
  tx: StateTransaction,
  master: MasterKey,
  { projectId, input, webhookId }: ValuesCheck,
  checkLaunchValues: CheckLaunchValues,
): Promise<GivenValues> => {
  const survey = await readSurvey(tx, input.template_id, projectId);
  if (!survey) throw badField('template_id', 'field.not_of_project');
  checkAnswers(survey, input);
  const templateId = input.template_id;
  const requested = LaunchValues.parse(input.launch_values ?? {});
  const given = await webhookAnswers.complete(tx, master, templateId, requested, webhookId);
  try {
    await checkLaunchValues(tx, { projectId, templateId, values: given.values, mayOverride: false });
  } catch (error) {
    if (!(error instanceof ApiError) || error.fields === undefined) throw error;
    const extracted = new Set(
      input.extractors.map(({ target, variable }) => target === 'answer' && `launch_values.environment.${variable}`),
    );
    const others: FieldErrors = Object.fromEntries(
      Object.entries(error.fields).filter(([name]) => !extracted.has(name)),
    );
    if (Object.keys(others).length > 0) throw ApiError.ofFields(others);
  }
  return given;
};
