import type { FieldMessage, RefusedField, RouteShape } from '@signalbox/contract';
import { z } from 'zod';
import { ApiError } from '../errors/api-error.ts';

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether a value is empty. Generated clients send an empty value for every field that they know. */
const isEmpty = (value: unknown): boolean => {
  if (value === undefined || value === null || value === '' || value === false || value === 0) return true;
  if (typeof value === 'string') return ['{}', '[]', 'null'].includes(value.trim());
  if (typeof value !== 'object') return false;
  return Object.values(value).every(isEmpty);
};

const accepts = ({ accepted }: RefusedField, value: unknown): boolean =>
  accepted === undefined ? isEmpty(value) : value === null || accepted.some((one) => one === value);

/** Unwraps the object schema of an optional or nullable schema. */
const objectIn = (schema: unknown): z.ZodObject | undefined => {
  if (schema instanceof z.ZodObject) return schema;
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return objectIn(schema.unwrap());
  return schema instanceof z.ZodPipe ? objectIn(schema.in) : undefined;
};

/** The fields of the body to which an entry applies, each with its value. */
const given = (name: string, body: Record<string, unknown>, schema: unknown): [string, unknown][] => {
  const [first = '', second] = name.split('.');
  const value = Object.hasOwn(body, first) ? body[first] : undefined;
  if (second === undefined) return [[name, value]];
  if (!isObject(value)) return [];
  if (second !== '*') return [[name, Object.hasOwn(value, second) ? value[second] : undefined]];
  const known = objectIn(objectIn(schema)?.shape[first])?.shape ?? {};
  return Object.entries(value).flatMap(([field, part]) =>
    Object.hasOwn(known, field) ? [] : [[`${first}.${field}`, part] as [string, unknown]],
  );
};

/** @throws bad_input with every field that the route refuses and whose value would change something */
export const refuseFields = ({ refuses, body: schema }: RouteShape, body: unknown): void => {
  if (refuses === undefined || !isObject(body)) return;
  const fields: Record<string, FieldMessage> = {};
  for (const [name, rule] of Object.entries(refuses)) {
    for (const [field, value] of given(name, body, schema)) {
      if (value !== undefined && !accepts(rule, value))
        fields[field] = { code: 'field.not_supported', params: { instead: { code: rule.instead } } };
    }
  }
  if (Object.keys(fields).length > 0) throw ApiError.ofFields(fields);
};
