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
import { fieldsText } from '@signalbox/lang';
import { english } from './english.ts';

/** The errors of fields, by the name of the field. */
export type FieldErrors = Readonly<Record<string, FieldMessage | CronMessage>>;

/** An error that the contract defines. Its message is the English text. */
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

  /** The error of a form. The English text is `text`, or by default made from the errors of the fields. */
  static ofFields(fields: FieldErrors, text: ErrorMessage = { code: 'bad_input' }): ApiError {
    const error = ApiError.of(text);
    const message = text.code === 'bad_input' ? fieldsText(fields, english, ' ') : error.message;
    return Object.assign(error, { fields, message });
  }

  get status(): number {
    return ERRORS[errorKind(this.code)].status;
  }

  /** The same error for objects that do not exist and for objects that the caller must not know of. */
  get retryAfter(): number | undefined {
    return RETRY_AFTER_SECONDS[this.code] ?? RETRY_AFTER_SECONDS[errorKind(this.code)];
  }
}

/** The same for what never existed and for what the caller may not know of. */
export const notFound = (): ApiError => new ApiError('not_found');

/** The error of one field. */
export const badField = (name: string, ...[code, params]: FieldMessageArguments): ApiError =>
  ApiError.ofFields({ [name]: { code, params } as FieldMessage });
