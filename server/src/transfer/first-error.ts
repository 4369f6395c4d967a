import type { ZodError } from 'zod';
import { english } from '../http/errors/english.ts';
import { fieldMessage } from '../http/errors/field-message.ts';

/** Returns the first validation error with its path, without a full stop. */
export const firstError = ({ issues: [failure] }: ZodError, whole = 'it'): string =>
  failure ? `${failure.path.join('.') || whole} ${english(fieldMessage(failure))}` : whole;
