import { z } from 'zod';
import { FIELD_CHECKS } from '../errors/field-message.ts';

const takesNull = (field: z.ZodType): boolean => field.safeParse(null).success;

/** Returns the schema of a field without optional, default and transform wrappers. */
const inner = (schema: z.ZodType): z.ZodType => {
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return inner(schema.unwrap() as z.ZodType);
  return schema instanceof z.ZodPipe ? inner(schema.in as z.ZodType) : schema;
};

/**
 * Removes null fields from the body of a new object: nothing is stored that null could clear, so null means the same
 * as an absent field. Clients of typed languages send all fields.
 * @param isNew false for a change: its own null fields clear values, but nested objects are new
 */
export const withoutNulls = (schema: z.ZodType, value: unknown, isNew: boolean): unknown => {
  const unwrapped = inner(schema);
  if (unwrapped instanceof z.ZodArray && Array.isArray(value))
    return value.map((item) => withoutNulls(unwrapped.element as z.ZodType, item, true));
  if (!(unwrapped instanceof z.ZodObject) || typeof value !== 'object' || value === null || Array.isArray(value))
    return value;
  const shape = unwrapped.shape as Record<string, z.ZodType>;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, part]) => {
      const field = Object.hasOwn(shape, name) ? shape[name] : undefined;
      if (field === undefined) return [[name, part]];
      return part === null && isNew && !takesNull(field) ? [] : [[name, withoutNulls(field, part, true)]];
    }),
  );
};

/**
 * Applies a change to an object: an absent field keeps its value, null clears it (to null where the field is
 * nullable, else to its default). The result must satisfy every rule for a new object.
 * @param stored the object in the form of a request that would create it
 * @throws ZodError naming the invalid fields
 */
export const merged = <S extends z.ZodObject>(
  schema: S,
  stored: z.input<S>,
  change: Readonly<Record<string, unknown>>,
): z.output<S> => {
  const result: Record<string, unknown> = { ...stored };
  for (const [name, field] of Object.entries(schema.shape)) {
    const value = Object.hasOwn(change, name) ? change[name] : undefined;
    if (value === undefined) continue;
    if (value === null && !takesNull(field as z.ZodType)) delete result[name];
    else result[name] = value;
  }
  return schema.parse(result, FIELD_CHECKS);
};
