import { type ErrorAnswer, type ErrorCode, type ErrorMessage, errorKind, type FieldMessage } from '@signalbox/contract';
import type { FastifyError } from 'fastify';
import { ZodError } from 'zod';
import type { Capabilities } from '../../database/dialects/capabilities.ts';
import { type LogStoreProblem, logStoreProblem } from '../../logs/objects/object-store.ts';
import { ApiError, notFound } from './api-error.ts';
import { english } from './english.ts';
import { fieldMessage } from './field-message.ts';

export interface Failure {
  readonly status: number;
  readonly body: ErrorAnswer;
  /** True for errors that only a developer can fix. They are logged with their stack. */
  readonly bug: boolean;
  /** Seconds after which a retry may succeed; undefined when a retry would fail too. */
  readonly retryAfter: number | undefined;
}

/** The errors of the web framework for requests that reach no handler. */
const FRAMEWORK: Readonly<Record<string, ErrorMessage>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: { code: 'wrong_content_type' },
  FST_ERR_CTP_EMPTY_JSON_BODY: { code: 'bad_json.empty' },
  FST_ERR_CTP_INVALID_JSON_BODY: { code: 'bad_json' },
  FST_ERR_CTP_BODY_TOO_LARGE: { code: 'too_large' },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: { code: 'bad_input.body_length' },
  FST_ERR_BAD_URL: { code: 'bad_input.address' },
  FST_ERR_MAX_PARAM_LENGTH: { code: 'not_found' },
};

/** The errors of calls that read a log in the log store. */
const LOG_STORE = {
  away: 'unavailable.log_store',
  full: 'unavailable.log_store',
  refused: 'unavailable.log_store',
  missing: 'conflict.log_missing',
  changed: 'conflict.log_changed',
} as const satisfies Record<LogStoreProblem, ErrorCode>;

/** The body of an error answer. */
export const errorAnswer = ({ code, params, fields, message }: ApiError): ErrorAnswer => ({
  error: message,
  code,
  ...(params ? { params } : {}),
  ...(fields
    ? {
        fields: Object.fromEntries(Object.entries(fields).map(([name, one]) => [name, english(one)])),
        field_codes: fields,
      }
    : {}),
  ...(errorKind(code) === 'in_use' ? { in_use: true, inUse: true } : {}),
});

const failure = (error: ApiError, more: Partial<ErrorAnswer> = {}): Failure => ({
  status: error.status,
  body: { ...errorAnswer(error), ...more },
  bug: false,
  retryAfter: error.retryAfter,
});

/** The error of a body or query with invalid fields, with the first error of each field. */
export const fieldsError = ({ issues }: ZodError): ApiError => {
  const fields: Record<string, FieldMessage> = {};
  for (const issue of issues) fields[issue.path.join('.') || 'body'] ??= fieldMessage(issue);
  return ApiError.ofFields(fields);
};

/** Classifies errors of the database. */
export type DatabaseErrors = Pick<Capabilities, 'isUnavailable' | 'isFull' | 'isDangling'>;

/** Converts anything that a call threw into an answer. */
export const toFailure = (thrown: unknown, requestId: string, databaseErrors: DatabaseErrors): Failure => {
  if (thrown instanceof ApiError) return failure(thrown);
  if (thrown instanceof ZodError) return failure(fieldsError(thrown));
  const { code, statusCode } = thrown as Partial<FastifyError>;
  const known = code === undefined ? undefined : FRAMEWORK[code];
  if (known) return failure(ApiError.of(known));
  // A file that must not be served gets the same answer as a file that does not exist.
  if (statusCode === 403 || statusCode === 404) return failure(notFound());
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) return failure(new ApiError('bad_input'));
  const problem = logStoreProblem(thrown);
  if (problem !== undefined) return failure(new ApiError(LOG_STORE[problem]));
  // The caller, or an object that the body refers to, was deleted after it was checked.
  if (databaseErrors.isDangling(thrown)) return failure(new ApiError('conflict.parent_deleted'));
  if (databaseErrors.isFull(thrown)) return failure(new ApiError('unavailable.database_full'));
  if (databaseErrors.isUnavailable(thrown)) return failure(new ApiError('unavailable.database'));
  const internal = new ApiError('internal', { id: requestId });
  return { ...failure(internal, { request_id: requestId }), bug: true };
};
