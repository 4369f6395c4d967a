import { NewProjectUser, NewView, ViewPositions } from '@signalbox/contract';
import { describe, expect, it } from 'vitest';
import { ZodError, type z } from 'zod';
import { errorAnswer, fieldsError } from './error-answer.ts';
import { FIELD_CHECKS } from './field-message.ts';

const answerTo = (schema: z.ZodType, value: unknown) => {
  const { error } = schema.safeParse(value, FIELD_CHECKS);
  if (!(error instanceof ZodError)) throw new Error('The value was accepted.');
  return errorAnswer(fieldsError(error));
};
const fieldsOf = (schema: z.ZodType, value: unknown) => answerTo(schema, value).fields;

describe('an answer about fields', () => {
  it('has English texts and the same errors as codes', () => {
    const values = '"owner", "manager", "task_runner", "guest", "custom"';
    expect(answerTo(NewProjectUser, { user_id: 0, role: 'king' })).toEqual({
      error: `user_id must be at least 1; role must be one of ${values}.`,
      code: 'bad_input',
      fields: { user_id: 'must be at least 1', role: `must be one of ${values}` },
      field_codes: {
        user_id: { code: 'field.too_small', params: { min: 1 } },
        role: { code: 'field.choice', params: { values } },
      },
    });
  });
});

describe('the error of a body', () => {
  it.each([
    [NewView, undefined, { body: 'is required' }],
    [NewView, [], { body: 'must be an object' }],
    [ViewPositions, 'x', { body: 'must be an object' }],
    [NewView, {}, { title: 'is required' }],
    [NewView, { title: 1 }, { title: 'must be of type string' }],
    [ViewPositions, { x: 1 }, { x: 'must be an id (a whole number from 1)' }],
    [
      NewProjectUser,
      { user_id: 1, role: 'king' },
      { role: 'must be one of "owner", "manager", "task_runner", "guest", "custom"' },
    ],
  ])('is explained for users, by field: %#', (schema, value, fields) => {
    expect(fieldsOf(schema, value)).toEqual(fields);
  });
});
