import type { ZodError } from 'zod';
import { wordsOf } from '../http/error-answer.ts';

/** The first thing that is wrong, with the place where it stands; without a dot at its end. */
export const firstFault = ({ issues: [fault] }: ZodError, whole = 'it'): string =>
  fault ? `${fault.path.join('.') || whole} ${wordsOf(fault)}` : whole;
