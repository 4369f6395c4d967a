import { z } from 'zod';
import { Id } from './fields.ts';

/** A field without its default: in a change, an absent field keeps its value. */
type Bare<T> =
  T extends z.ZodDefault<infer I>
    ? Bare<I>
    : T extends z.ZodOptional<infer I>
      ? Bare<I>
      : T extends z.ZodNullable<infer I>
        ? Bare<I>
        : T;

type ChangeShape<S extends z.ZodRawShape> = {
  [K in keyof S]: z.ZodOptional<z.ZodNullable<Bare<S[K]> extends z.ZodType ? Bare<S[K]> : never>>;
};

const bare = (field: z.ZodType): z.ZodType => {
  if (field instanceof z.ZodDefault || field instanceof z.ZodOptional || field instanceof z.ZodNullable) {
    return bare(field.unwrap() as z.ZodType);
  }
  return field;
};

/** The description of a field, also of a wrapped one. */
const descriptionOf = (field: z.ZodType): string | undefined => {
  if (field.description !== undefined || !(field instanceof z.ZodDefault || field instanceof z.ZodOptional))
    return field.description;
  return descriptionOf(field.unwrap() as z.ZodType);
};

/** Ids that a client may send back as it got them; those that differ from the address are refused. */
const SENT_BACK = { id: Id.nullish(), project_id: Id.nullish() };

/**
 * The body of a PUT for an object with these fields: every field may be absent, which keeps its value, or null, which
 * clears it. The rules between fields are those of the whole object, and are checked once the change is merged into it.
 */
export const changeOf = <S extends z.ZodRawShape>(fields: S) => {
  const shape = Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      const description = descriptionOf(field as z.ZodType);
      const change = bare(field as z.ZodType).nullish();
      return [name, description === undefined ? change : change.describe(description)];
    }),
  );
  return z.object({ ...SENT_BACK, ...(shape as ChangeShape<S>) });
};
