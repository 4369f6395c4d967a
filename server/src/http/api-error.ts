import {
  type CronMessage,
  ERRORS,
  type ErrorCode,
  type ErrorMessage,
  type ErrorMessageArguments,
  errorKind,
  type FieldMessage,
  type FieldMessageArguments,
  type Params,
  RETRY_AFTER_SECONDS,
} from '@signalbox/contract';
import { fieldsSentence } from '@signalbox/lang';
import { english } from './english.ts';

/** What is wrong with each field, by the name of the field. */
export type FieldErrors = Readonly<Record<string, FieldMessage | CronMessage>>;

/** A call that ends in one of the contract's errors. Its message is the English sentence. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ErrorCode;
  readonly params: Params | undefined;
  readonly fields: FieldErrors | undefined;

  constructor(...[code, params]: ErrorMessageArguments) {
    super(english({ code, params }));
    this.code = code;
    this.params = params;
  }

  /** The error of a message. */
  static of({ code, params }: ErrorMessage): ApiError {
    return new ApiError(...([code, params] as unknown as ErrorMessageArguments));
  }

  /** The error of a form. Its sentence is `sentence`, or else made of the messages of the fields. */
  static ofFields(fields: FieldErrors, sentence: ErrorMessage = { code: 'bad_input' }): ApiError {
    const error = ApiError.of(sentence);
    const message = sentence.code === 'bad_input' ? fieldsSentence(fields, english, ' ') : error.message;
    return Object.assign(error, { fields, message });
  }

  get status(): number {
    return ERRORS[errorKind(this.code)].status;
  }

  /** Seconds until another try is worth it; undefined if it would end the same. */
  get retryAfter(): number | undefined {
    return RETRY_AFTER_SECONDS[this.code] ?? RETRY_AFTER_SECONDS[errorKind(this.code)];
  }
}

/** The same for what never existed and for what the caller may not know of. */
export const notFound = (): ApiError => new ApiError('not_found');

/** The error of one field. */
export const badField = (name: string, ...[code, params]: FieldMessageArguments): ApiError =>
  ApiError.ofFields({ [name]: { code, params } as FieldMessage });
