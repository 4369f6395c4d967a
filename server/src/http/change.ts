import { z } from 'zod';

const takesNull = (field: z.ZodType): boolean => field.safeParse(null).success;

/**
 * The body of something that is made anew without what is null in it: nothing is stored yet that null could clear, so it
 * says what absence says. Clients of typed languages send all of their fields.
 */
export const withoutNulls = (schema: z.ZodType, body: unknown): unknown => {
  const object = schema instanceof z.ZodDefault ? schema.unwrap() : schema;
  if (!(object instanceof z.ZodObject) || typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  const shape = object.shape as Record<string, z.ZodType>;
  const means = ([name, value]: [string, unknown]): boolean => {
    const field = Object.hasOwn(shape, name) ? shape[name] : undefined;
    return value !== null || field === undefined || takesNull(field);
  };
  return Object.fromEntries(Object.entries(body).filter(means));
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
  return schema.parse(result);
};
