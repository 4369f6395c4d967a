import { type FieldCode, type FieldMessage, isFieldCode } from '@signalbox/contract';
import type { z } from 'zod';

type Issue = z.core.$ZodIssue;

const tooBig = ({ origin, maximum }: Extract<Issue, { code: 'too_big' }>): FieldMessage => {
  const params = { max: Number(maximum) };
  if (origin === 'string') return { code: 'field.too_long', params };
  return { code: origin === 'array' || origin === 'set' ? 'field.max_entries' : 'field.too_big', params };
};

const tooSmall = ({ origin, minimum }: Extract<Issue, { code: 'too_small' }>): FieldMessage => {
  const params = { min: Number(minimum) };
  if (origin === 'string') return { code: 'field.too_short', params };
  return { code: origin === 'array' || origin === 'set' ? 'field.min_entries' : 'field.too_small', params };
};

/** How bodies and queries are parsed: a missing value is `field.required`, whatever its type. */
export const FIELD_CHECKS: z.core.ParseContext<Issue> = {
  error: ({ code, input }): FieldCode | undefined =>
    code === 'invalid_type' && input === undefined ? 'field.required' : undefined,
};

/** What is wrong with a field, as the contract names it. The value must be parsed with `FIELD_CHECKS`. */
export const fieldMessage = (issue: Issue): FieldMessage => {
  const { message, code, path } = issue;
  // The checks of the contract have a code as their message; only custom ones have parameters.
  if (isFieldCode(message))
    return { code: message, ...(code === 'custom' ? { params: issue.params } : {}) } as FieldMessage;
  switch (code) {
    case 'invalid_type': {
      const type = issue.expected === 'record' ? 'object' : issue.expected;
      return { code: path.length > 0 ? 'field.type' : 'field.body_type', params: { type } };
    }
    case 'invalid_value':
      return { code: 'field.choice', params: { values: issue.values.map((one) => JSON.stringify(one)).join(', ') } };
    case 'invalid_key':
      // An invalid field name is reported with the error of the name.
      return issue.issues[0] ? fieldMessage(issue.issues[0]) : { code: 'field.unknown_key' };
    case 'too_big':
      return tooBig(issue);
    case 'too_small':
      return tooSmall(issue);
    default:
      return { code: 'field.invalid' };
  }
};
