import { z } from 'zod';
import { EndReason, MAX_REASON_TEXT } from './end-reasons.ts';

/** Why a runner could not answer a query, in addition to the reasons that also end a task. */
const OwnReason = z.discriminatedUnion('code', [
  z.object({
    code: z.literal('query.inventory_unreadable'),
    params: z.object({
      detail: z.string().max(MAX_REASON_TEXT).describe('What Ansible printed, or the cause in English.'),
    }),
  }),
  z.object({ code: z.literal('query.inventory_output_invalid'), params: z.object({}) }),
  z.object({ code: z.literal('query.inventory_too_slow'), params: z.object({}) }),
  z.object({ code: z.literal('query.too_many_names'), params: z.object({}) }),
  z.object({ code: z.literal('query.fingerprint_unreadable'), params: z.object({}) }),
  z.object({ code: z.literal('query.failed'), params: z.object({}) }),
]);

/** Why a runner could not answer a query, as a code with parameters. */
export const QueryReason = z.union([OwnReason, EndReason]);
export type QueryReason = z.infer<typeof QueryReason>;
export type OwnReason = z.infer<typeof OwnReason>;
