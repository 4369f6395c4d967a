import type { Message } from '@signalbox/contract';
import type { ApiError, FieldErrors } from '../http/api-error.ts';

const fieldReason = ([field, message]: readonly [string, Message]): Message =>
  message.code.startsWith('field.') ? { code: 'reason.field', params: { field, why: message } } : message;

const fieldsReason = (fields: FieldErrors): Message => {
  const why = Object.entries(fields)
    .map(fieldReason)
    .reduceRight((rest, first) => ({ code: 'reason.and', params: { first, rest } }));
  return { code: 'reason.sentence', params: { why } };
};

/** An error as the reason within an event. Its sentence is that of the error. */
export const reasonOf = ({ code, params, fields }: ApiError): Message => {
  if (fields !== undefined && code === 'bad_input') return fieldsReason(fields);
  return params === undefined ? { code } : { code, params };
};
