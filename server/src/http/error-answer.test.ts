import { NewProjectUser, NewView, ViewPositions } from '@signalbox/contract';
import { describe, expect, it } from 'vitest';
import { ZodError, type z } from 'zod';
import { fieldsFailure } from './error-answer.ts';

const fieldsOf = (schema: z.ZodType, value: unknown): unknown => {
  const { error } = schema.safeParse(value);
  if (!(error instanceof ZodError)) throw new Error('It was taken.');
  return fieldsFailure(error).body.fields;
};

describe('what is wrong with a body', () => {
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
      { role: 'must be one of "owner", "manager", "task_runner", "guest"' },
    ],
  ])('is told in the words of people, by the field at fault: %#', (schema, value, fields) => {
    expect(fieldsOf(schema, value)).toEqual(fields);
  });
});
