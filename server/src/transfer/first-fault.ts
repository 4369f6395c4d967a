import type { ZodError } from 'zod';
import { english } from '../http/english.ts';
import { fieldMessage } from '../http/field-message.ts';

/** The first thing that is wrong, with the place where it stands; without a dot at its end. */
export const firstFault = ({ issues: [fault] }: ZodError, whole = 'it'): string =>
  fault ? `${fault.path.join('.') || whole} ${english(fieldMessage(fault))}` : whole;
