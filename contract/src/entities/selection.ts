import { z } from 'zod';
import { Id } from '../fields.ts';
import { Message, Param } from '../messages/message.ts';

/** Maximum number of objects in one call about selected objects. */
export const MAX_SELECTED = 200;

/** The ids of selected objects. An id that is repeated counts once. */
export const SelectedIds = z
  .array(Id)
  .min(1)
  .max(MAX_SELECTED)
  .transform((ids) => [...new Set(ids)])
  .describe(`Ids of the selected objects. Maximum: ${MAX_SELECTED}.`);

/** What was done with each of the selected objects. Every selected id is in exactly one of the lists. */
export const SelectionOutcome = z.object({
  done: z.array(Id).describe('Ids of the objects for which the call succeeded.'),
  refused: z
    .array(
      z.object({
        id: Id,
        error: z.string().describe('Why the call failed for this object, in English.'),
        code: z.string().describe('The code of this error, as a single call would answer it.'),
        params: z.record(z.string(), Param).describe('The values within the text, by name.'),
        fields: z
          .record(z.string(), z.string())
          .optional()
          .describe('The message in English for each field with an error, by its name.'),
        field_codes: z.record(z.string(), Message).optional().describe('The same messages as codes with parameters.'),
      }),
    )
    .describe('The objects for which the call failed and changed nothing.'),
});
export type SelectionOutcome = z.infer<typeof SelectionOutcome>;
