import { z } from 'zod';
import { changeOf } from '../change.ts';
import { Id, Name } from '../fields.ts';

/** Maximum number of labels of a project. */
export const MAX_LABELS = 500;
/** Maximum number of labels of a template. */
export const MAX_TEMPLATE_LABELS = 20;

/** The colours of labels. None of them is the colour of a status. */
export const LABEL_COLOURS = ['slate', 'brick', 'ochre', 'moss', 'violet', 'teal'] as const;
export const LabelColour = z.enum(LABEL_COLOURS);
export type LabelColour = z.infer<typeof LabelColour>;

export const Label = z.object({ id: Id, project_id: Id, name: z.string(), colour: LabelColour });
export type Label = z.infer<typeof Label>;

export const NewLabel = z.object({ name: Name, colour: LabelColour.default('slate') });
export const LabelChange = changeOf(NewLabel.shape);

/** Ids of the labels of a template. An id that is repeated counts once. */
export const TemplateLabels = z
  .array(Id)
  .max(MAX_TEMPLATE_LABELS)
  .overwrite((ids) => [...new Set(ids)])
  .describe('Ids of its labels.');
