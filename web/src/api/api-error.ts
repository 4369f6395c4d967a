import type { ErrorAnswer } from '@signalbox/contract';
import { fieldsText } from '@signalbox/lang';
import { errorTexts } from '../lang/error-texts.ts';
import { OPTION_LABELS } from '../lang/option-labels.ts';
import { translate } from '../lang/translate.ts';

/** The catalogue key of the name of an option, also of one within other values such as `launch_values.runner_tags`. */
const labelKey = (field: string): string | undefined =>
  (OPTION_LABELS as Readonly<Record<string, string>>)[field.slice(field.lastIndexOf('.') + 1)];

const fieldLabel = (field: string): string => {
  const key = labelKey(field);
  return key === undefined ? field : translate(key);
};

const GENERIC = 'Request failed with status code';

/** An API call that failed. `status` is 0 when the server did not answer. */
export class ApiError extends Error {
  readonly status: number;
  readonly statusText: string;
  readonly answer: Partial<ErrorAnswer>;

  constructor(status: number, statusText: string, answer: Partial<ErrorAnswer> = {}, message?: string) {
    super(message ?? `${GENERIC} ${status}`);
    this.name = 'ApiError';
    this.status = status;
    this.statusText = statusText;
    this.answer = answer;
  }

  /** The part of the error code before the dot: the kind of error. */
  get kind(): string {
    return this.answer.code?.split('.')[0] ?? '';
  }

  /** The message for each field of the form, by field name, in the language of the console. */
  get fields(): Record<string, string> {
    const { fields = {}, field_codes = {} } = this.answer;
    return Object.fromEntries(
      Object.entries(fields).map(([name, english]) => [name, errorTexts.text(field_codes[name], english)]),
    );
  }

  /** The error message of the server in the language of the console. */
  get text(): string {
    const { error = '', code = '', params, fields = {}, field_codes = {} } = this.answer;
    // The message of a plain `bad_input` error consists of the messages of its fields.
    if (code !== 'bad_input' || Object.keys(fields).length === 0) return errorTexts.text({ code, params }, error);
    const own = this.fields;
    const isTranslated = Object.keys(own).every((name) => own[name] !== fields[name]);
    if (!isTranslated && !Object.keys(own).some((name) => labelKey(name))) return error;
    return fieldsText(field_codes, (_, name) => own[name] ?? '', isTranslated ? ': ' : ' ', fieldLabel);
  }
}

/** Whether a call failed because the object in its path does not exist. A malformed id counts as not found too. */
export const isMissing = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 404 || error.status === 400);

/**
 * The error text that the user sees, in this order: the message of the server; the message of the client unless it is
 * generic; for a 401, the status and its text; the message of the client.
 */
export const errorText = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  if (!(error instanceof ApiError)) return error.message;
  if (error.answer.error) return error.text;
  if (!error.message.startsWith(GENERIC)) return error.message;
  if (error.status === 401) return `${error.status} ${error.statusText}`.trim();
  return error.message;
};
