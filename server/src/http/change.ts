import type { z } from 'zod';

const takesNull = (field: z.ZodType): boolean => field.safeParse(null).success;

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
