import { readFileSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { z } from 'zod';

/** A file with PEM certificates; its output is the content. */
export const PemFile = z
  .string()
  .refine(isAbsolute, 'must be an absolute path')
  .transform((path, context) => {
    try {
      const text = readFileSync(path, 'utf8');
      if (text.includes('-----BEGIN CERTIFICATE-----')) return text;
      context.addIssue('must be a file with PEM certificates');
    } catch (error) {
      context.addIssue(`cannot be read (${(error as NodeJS.ErrnoException).code})`);
    }
    return z.NEVER;
  });
