import { text } from './fields.ts';
import { fieldError } from './messages/field-errors.ts';
import { VISIBLE } from './visible-text.ts';

/** Longest host pattern, in characters. */
export const MAX_LIMIT = 4096;

/**
 * A pattern of Ansible that selects hosts. Refuses patterns that Ansible could read as an option or as a file: Ansible splits
 * patterns at commas, colons, spaces and brackets, and reads a file for each part that begins with `@`. So an `@` is accepted
 * only directly after a letter, a digit, `_`, `.` or `-`.
 */
export const HostLimit = text(MAX_LIMIT)
  .trim()
  .regex(/^(?!-)(?:[^@\p{Cc}]|(?<=[\p{L}\p{N}_.-])@)*$/u, fieldError('field.host_pattern'))
  .regex(VISIBLE, fieldError('field.invisible'))
  .meta({ openapiFormat: 'host-pattern' });
