import type { ErrorAnswer } from '@signalbox/contract';
import { serverWords } from '../lang/server-words.ts';

const GENERIC = 'Request failed with status code';

const listed = (fields: Readonly<Record<string, string>>, between: string): string =>
  Object.entries(fields)
    .map(([name, message]) => `${name}${between}${message}`)
    .join('; ');

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

  /** The message for each field of the form that was sent, by name. */
  get fields(): Record<string, string> {
    const fields = Object.entries(this.answer.fields ?? {});
    return Object.fromEntries(fields.map(([name, message]) => [name, serverWords(message)]));
  }

  /** What the server said, in the language that is spoken. */
  get sentence(): string {
    const { error = '', fields = {} } = this.answer;
    const said = serverWords(error);
    // A sentence that is put together of the messages of fields is known by its parts.
    if (said !== error || error !== `${listed(fields, ' ')}.`) return said;
    const own = this.fields;
    return Object.keys(own).some((name) => own[name] !== fields[name]) ? `${listed(own, ': ')}.` : error;
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
