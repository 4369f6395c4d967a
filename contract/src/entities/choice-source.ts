import { z } from 'zod';
import { Id, OptionalId, text } from '../fields.ts';
import { CHOICE_SOURCES } from '../survey/survey-types.ts';

const KIND =
  '`versions` are those of the successful builds of a build template, the newest first; `groups` and `hosts` are those of the inventory of the template, `branches` and `tags` those of its repository; `address` reads JSON from a web address.';
const TEMPLATE = 'Id of the build template of `versions`; null for the others.';

/** What only the source `address` has; empty for the others. Empty too where an earlier version stored a source. */
const ofAddress = {
  url: text(2048)
    .default('')
    .describe('Web address of `address`. It starts with one that administrators have allowed.'),
  path: text(255).default('').describe('JSON path of the list in the answer, such as `$.items`. Empty for the answer.'),
  value_path: text(255)
    .default('')
    .describe('JSON path of the value in an entry. Empty for the entry itself or, of an object, for `value`.'),
  name_path: text(255).default('').describe('JSON path of what the form shows for an entry. Empty for `name`.'),
};

/** Where the choices of a variable come from, instead of a list in the survey. */
export const ChoiceSource = z.object({
  type: z.enum(CHOICE_SOURCES).describe(KIND),
  template_id: Id.nullable().describe(TEMPLATE),
  ...ofAddress,
});
export type ChoiceSource = z.output<typeof ChoiceSource>;

export const NewChoiceSource = z
  .object({
    type: ChoiceSource.shape.type,
    template_id: OptionalId.default(null).describe(TEMPLATE),
    ...ofAddress,
  })
  .nullable()
  .default(null)
  .describe('Where `enum` and `multiple` get their choices from when a task is started. Null for those in `values`.');
