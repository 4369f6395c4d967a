import type { Message } from '@signalbox/contract';
import type { ApiError, FieldErrors } from '../http/errors/api-error.ts';

const fieldReason = ([field, message]: readonly [string, Message]): Message =>
  message.code.startsWith('field.') ? { code: 'reason.field', params: { field, why: message } } : message;

const fieldsReason = (fields: FieldErrors): Message => {
  const why = Object.entries(fields)
    .map(fieldReason)
    .reduceRight((rest, first) => ({ code: 'reason.and', params: { first, rest } }));
  return { code: 'reason.sentence', params: { why } };
};

/** Converts an error into the reason of an event. Its text is that of the error. */
export const reasonOf = ({ code, params, fields }: ApiError): Message => {
  if (fields !== undefined && code === 'bad_input') return fieldsReason(fields);
  return params === undefined ? { code } : { code, params };
};
