import { ERRORS, type ErrorAnswer, type ErrorCode, RETRY_AFTER_SECONDS } from '@signalbox/contract';
import type { FastifyError } from 'fastify';
import { ZodError, type z } from 'zod';
import type { Capabilities } from '../database/dialects/capabilities.ts';
import { ApiError } from './api-error.ts';

export interface Failure {
  readonly status: number;
  readonly body: ErrorAnswer;
  /** True for what only we can mend: it is logged with its stack. */
  readonly bug: boolean;
  /** Seconds after which a call is worth another try; undefined where it will end the same. */
  readonly retryAfter: number | undefined;
}

const UNKNOWN = ['not_found', 'This does not exist, or you have no access to it.'] as const;

/** What the web framework refuses before a handler is reached, in the words of our contract. */
const FRAMEWORK: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [
    'wrong_content_type',
    'Send the body as JSON, with the content type application/json.',
  ],
  FST_ERR_CTP_EMPTY_JSON_BODY: ['bad_json', 'The body is empty: send JSON.'],
  FST_ERR_CTP_INVALID_JSON_BODY: ['bad_json', 'The body is not valid JSON.'],
  FST_ERR_CTP_BODY_TOO_LARGE: ['too_large', 'The body is too large for this call.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['bad_input', 'The length of the body differs from what its header says.'],
  FST_ERR_BAD_URL: ['bad_input', 'The address is not a valid one.'],
  FST_ERR_MAX_PARAM_LENGTH: UNKNOWN,
};

const failure = (code: ErrorCode, error: string, more: Partial<ErrorAnswer> = {}): Failure => ({
  status: ERRORS[code].status,
  body: { error, code, ...more },
  bug: false,
  retryAfter: RETRY_AFTER_SECONDS[code],
});

/** Field names as a form knows them, and one sentence that names them all. */
export const fieldsFailure = (error: ZodError): Failure => {
  const fields: Record<string, string> = {};
  for (const issue of error.issues) fields[issue.path.join('.') || 'body'] ??= wordsOf(issue);
  const sentence = Object.entries(fields)
    .map(([name, message]) => `${name} ${message}`)
    .join('; ');
  return failure('bad_input', `${sentence}.`, { fields });
};

/** What is wrong with a field, in words that go on after its name. */
export const wordsOf = (issue: z.core.$ZodIssue): string => {
  const { message, code, path } = issue;
  if (/received undefined/.test(message)) return 'is required';
  // The name of a field is at fault: what its own rules say.
  if (code === 'invalid_key') return issue.issues[0]?.message ?? 'is not known here';
  if (code === 'invalid_type')
    return message
      .replace('expected record', 'expected object')
      .replace(/^Invalid input: expected (\w+), received .*/, path.length > 0 ? 'must be of type $1' : 'must be an $1');
  if (code === 'invalid_value')
    return `must be one of ${issue.values.map((value) => JSON.stringify(value)).join(', ')}`;
  return message.replace(/^(Too big|Too small|Invalid input): /, 'is not accepted: ');
};

/** Tells what an error of the database means. */
export type DatabaseFaults = Pick<Capabilities, 'isUnavailable' | 'isFull' | 'isDangling'>;

/** Turns whatever a call threw into an answer. */
export const toFailure = (thrown: unknown, requestId: string, faults: DatabaseFaults): Failure => {
  if (thrown instanceof ApiError) {
    const { code, fields } = thrown;
    const answer = failure(code, thrown.message, {
      ...(fields ? { fields } : {}),
      ...(code === 'in_use' ? { in_use: true, inUse: true } : {}),
    });
    return { ...answer, retryAfter: thrown.retryAfter ?? answer.retryAfter };
  }
  if (thrown instanceof ZodError) return fieldsFailure(thrown);
  const { code, statusCode } = thrown as Partial<FastifyError>;
  const known = code === undefined ? undefined : FRAMEWORK[code];
  if (known) return failure(...known);
  // Files that may not be served are as unknown as those that are not there.
  if (statusCode === 403 || statusCode === 404) return failure(...UNKNOWN);
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return failure('bad_input', 'The request is not valid.');
  // The caller, or what they refer to, was there when it was looked for, and is gone.
  if (faults.isDangling(thrown)) return failure('conflict', 'Something that this belongs to was deleted meanwhile.');
  if (faults.isFull(thrown))
    return failure('unavailable', 'The disk of the database is full: nothing can be stored until there is room.');
  if (faults.isUnavailable(thrown))
    return failure('unavailable', 'The database is not reachable now; try again in a moment.');
  return {
    ...failure('internal', `Something went wrong on the server; its log has the details under ${requestId}.`, {
      request_id: requestId,
    }),
    bug: true,
  };
};
