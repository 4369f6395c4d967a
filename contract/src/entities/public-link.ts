import { z } from 'zod';
import { Moment } from '../fields.ts';

/** Whether a feed or a badge is public. */
export const PublicLink = z.object({
  active: z.boolean().describe('Whether it has an address.'),
  created: Moment.nullable().describe('When its address was made; null without one.'),
  created_by: z.string().describe('Name of the user who made it; empty without one.'),
});
export type PublicLink = z.infer<typeof PublicLink>;

export const NewPublicLink = z.object({
  address: z.string().describe('The address. Only this answer contains it.'),
});
