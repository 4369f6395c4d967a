import { ERRORS, type ErrorCode } from '@signalbox/contract';

/** A call that ends in one of the contract's errors; the message is one sentence for the person who called. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ErrorCode;
  readonly fields: Readonly<Record<string, string>> | undefined;

  /** Seconds until another try; undefined means the default of the code. */
  readonly retryAfter: number | undefined;

  constructor(code: ErrorCode, message: string, fields?: Readonly<Record<string, string>>, retryAfter?: number) {
    super(message);
    this.code = code;
    this.fields = fields;
    this.retryAfter = retryAfter;
  }

  get status(): number {
    return ERRORS[this.code].status;
  }
}

/** The same for what never existed and for what the caller may not know of. */
export const notFound = (): ApiError => new ApiError('not_found', 'This does not exist, or you have no access to it.');

export const badField = (name: string, message: string): ApiError =>
  new ApiError('bad_input', `${name} ${message}.`, { [name]: message });

export const conflict = (message: string): ApiError => new ApiError('conflict', message);
