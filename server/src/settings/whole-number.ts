import { z } from 'zod';

/** Parses a whole number from YAML or from decimal digits. Refuses `0x50`, `1e3` and blanks. */
export const wholeNumber = (min: number, max: number, text = `must be a whole number from ${min} to ${max}`) =>
  z
    .union(
      [
        z.number(),
        z
          .string()
          .regex(/^\d{1,9}$/)
          .transform(Number),
      ],
      text,
    )
    .refine((value) => Number.isInteger(value) && value >= min && value <= max, text);
