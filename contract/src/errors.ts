import { z } from 'zod';
import { Message, Param } from './messages/message.ts';

/** Who has to act on an error: the caller, the administrator of the machine, or the developers of Signalbox. */
export type Blame = 'user' | 'environment' | 'bug';

/** The kinds of errors. The code of an answer is a kind, or a kind, a dot and a detail: see `messages/errors.ts`. */
export const ERRORS = {
  bad_input: { status: 400, blame: 'user' },
  bad_json: { status: 400, blame: 'user' },
  wrong_content_type: { status: 400, blame: 'user' },
  wrong_origin: { status: 403, blame: 'user' },
  not_signed_in: { status: 401, blame: 'user' },
  wrong_login: { status: 401, blame: 'user' },
  second_factor_needed: { status: 401, blame: 'user' },
  wrong_code: { status: 401, blame: 'user' },
  second_factor_due: { status: 403, blame: 'user' },
  not_permitted: { status: 403, blame: 'user' },
  not_found: { status: 404, blame: 'user' },
  conflict: { status: 409, blame: 'user' },
  in_use: { status: 409, blame: 'user' },
  too_large: { status: 413, blame: 'user' },
  too_slow: { status: 408, blame: 'user' },
  headers_too_large: { status: 431, blame: 'user' },
  too_many: { status: 429, blame: 'user' },
  unavailable: { status: 503, blame: 'environment' },
  internal: { status: 500, blame: 'bug' },
} as const satisfies Record<string, { status: number; blame: Blame }>;

export type ErrorKind = keyof typeof ERRORS;

/** The response of every failed call: a message, and for a form the fields with errors. */
export const ErrorAnswer = z.object({
  error: z.string().describe('What is wrong and what to do, in English.'),
  code: z
    .string()
    .describe(
      'A stable code: the kind of error, such as `conflict`, or the kind, a dot and a detail, such as `conflict.changed`.',
    ),
  params: z
    .record(z.string(), Param)
    .optional()
    .describe('The values within the text, by name: texts, numbers, or messages with a code and values of their own.'),
  fields: z
    .record(z.string(), z.string())
    .optional()
    .describe('The message in English for each field with an error, by its name.'),
  field_codes: z.record(z.string(), Message).optional().describe('The same messages as codes with parameters.'),
  in_use: z.boolean().optional().describe("True if the object can't be deleted because other objects use it."),
  inUse: z.boolean().optional().describe('The same as `in_use`, for clients of Semaphore UI.'),
  request_id: z.string().optional().describe('Set for an internal error; the log of the server has the same id.'),
});
export type ErrorAnswer = z.infer<typeof ErrorAnswer>;
