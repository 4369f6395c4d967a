import { z } from 'zod';
import { FIELD_CHECKS } from './field-message.ts';

const takesNull = (field: z.ZodType): boolean => field.safeParse(null).success;

/** What a field holds, whether or not it may be absent, and before it is made into something else. */
const inner = (schema: z.ZodType): z.ZodType => {
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return inner(schema.unwrap() as z.ZodType);
  return schema instanceof z.ZodPipe ? inner(schema.in as z.ZodType) : schema;
};

/**
 * A body without what is null in something that is made anew: nothing is stored yet that null could clear, so it says
 * what absence says. Clients of typed languages send all of their fields.
 * @param isNew false for a change: null clears its own fields, but the parts that are in them are made anew
 */
export const withoutNulls = (schema: z.ZodType, value: unknown, isNew: boolean): unknown => {
  const held = inner(schema);
  if (held instanceof z.ZodArray && Array.isArray(value))
    return value.map((item) => withoutNulls(held.element as z.ZodType, item, true));
  if (!(held instanceof z.ZodObject) || typeof value !== 'object' || value === null || Array.isArray(value))
    return value;
  const shape = held.shape as Record<string, z.ZodType>;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, part]) => {
      const field = Object.hasOwn(shape, name) ? shape[name] : undefined;
      if (field === undefined) return [[name, part]];
      return part === null && isNew && !takesNull(field) ? [] : [[name, withoutNulls(field, part, true)]];
    }),
  );
};

/**
 * What an object becomes by a change: an absent field keeps its value, null clears it (to null where the field may be
 * null, else to what it is when it is never given). The result is held to every rule that a new object is held to.
 * @param stored the object in the form in which it would be made anew
 * @throws ZodError naming the fields at fault
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
