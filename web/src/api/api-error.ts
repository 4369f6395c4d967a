import type { ErrorAnswer } from '@signalbox/contract';
import { fieldsSentence } from '@signalbox/lang';
import { errorSentences } from '../lang/error-texts.ts';

const GENERIC = 'Request failed with status code';

/** A call that the server refused, with what it said. `status` 0 means that no answer came at all. */
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

  /** The part of the code before the dot, which says what kind of error this is. */
  get kind(): string {
    return this.answer.code?.split('.')[0] ?? '';
  }

  /** The message for each field of the form that was sent, by name, in the language of the console. */
  get fields(): Record<string, string> {
    const { fields = {}, field_codes = {} } = this.answer;
    return Object.fromEntries(
      Object.entries(fields).map(([name, english]) => [name, errorSentences.sentence(field_codes[name], english)]),
    );
  }

  /** What the server said, in the language of the console. */
  get sentence(): string {
    const { error = '', code = '', params, fields = {}, field_codes = {} } = this.answer;
    // The sentence of a plain `bad_input` is made of the messages of the fields.
    if (code !== 'bad_input' || Object.keys(fields).length === 0)
      return errorSentences.sentence({ code, params }, error);
    const own = this.fields;
    const isTranslated = Object.keys(own).every((name) => own[name] !== fields[name]);
    return isTranslated ? fieldsSentence(field_codes, (_, name) => own[name] ?? '', ': ') : error;
  }
}

/** Whether a call failed because what its address names is not there; an id that is none is refused as malformed. */
export const isMissing = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 404 || error.status === 400);

/**
 * The sentence that a person reads about a failure: what the server said; else what the client says, unless that is the
 * generic text; else, for a 401, the status and its text; else the client's message.
 */
export const errorText = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  if (!(error instanceof ApiError)) return error.message;
  if (error.answer.error) return error.sentence;
  if (!error.message.startsWith(GENERIC)) return error.message;
  if (error.status === 401) return `${error.status} ${error.statusText}`.trim();
  return error.message;
};
