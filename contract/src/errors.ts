import { z } from 'zod';

/** Who has to act on an error: whoever called, whoever runs the machine, or we. */
export type Blame = 'user' | 'environment' | 'bug';

/** Every error a call can end with. The code goes with the answer, so that programs need not read the sentence. */
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

export type ErrorCode = keyof typeof ERRORS;

/** Errors that pass by themselves, with the seconds after which a call is sure to be worth another try. */
export const RETRY_AFTER_SECONDS: Readonly<Partial<Record<ErrorCode, number>>> = { too_many: 15 * 60, unavailable: 2 };

/** What every failed call answers: one plain sentence, and for a form the fields at fault. */
export const ErrorAnswer = z.object({
  error: z.string().describe('One sentence: what is wrong and what to do.'),
  code: z.string().describe('A stable code of this kind of error.'),
  fields: z.record(z.string(), z.string()).optional().describe('The message for each field at fault, by its name.'),
  in_use: z.boolean().optional().describe('True when the object cannot be deleted because others use it.'),
  inUse: z.boolean().optional().describe('The same as `in_use`, for clients of Semaphore UI.'),
  request_id: z.string().optional().describe('Set for an internal error; the log of the server has the same id.'),
});
export type ErrorAnswer = z.infer<typeof ErrorAnswer>;
