import { z } from 'zod';
import { Id, OptionalId } from '../fields.ts';
import { CHOICE_SOURCES } from '../survey/survey-types.ts';

const KIND =
  '`versions` are those of the successful builds of a build template, the newest first; `groups` and `hosts` are those of the inventory of the template, `branches` and `tags` those of its repository.';

/** Where the choices of a variable come from, instead of a list in the survey. */
export const ChoiceSource = z.object({
  type: z.enum(CHOICE_SOURCES).describe(KIND),
  template_id: Id.nullable().describe('Id of the build template of `versions`; null for the others.'),
});
export type ChoiceSource = z.infer<typeof ChoiceSource>;

export const NewChoiceSource = z
  .object({
    type: ChoiceSource.shape.type,
    template_id: OptionalId.default(null).describe('Id of the build template of `versions`; null for the others.'),
  })
  .nullable()
  .default(null)
  .describe('Where `enum` and `multiple` get their choices from when a task is started. Null for those in `values`.');
