import { z } from 'zod';
import { Id, OptionalId } from '../fields.ts';
import { fieldError } from '../messages/field-errors.ts';
import { TemplateLabels } from './label.ts';
import { SelectedIds } from './selection.ts';

/** What is changed in each of the selected templates. An absent field keeps its value. */
export const SelectedTemplatesChange = z
  .object({
    ids: SelectedIds,
    add_labels: TemplateLabels.default([]).describe('Ids of labels that each template gets.'),
    remove_labels: TemplateLabels.default([]).describe('Ids of labels that each template loses.'),
    view_id: OptionalId.optional().describe('Id of the view to which the templates move; null for no view.'),
    inventory_id: Id.optional().describe('Id of the inventory that the templates use.'),
  })
  .refine(
    ({ add_labels, remove_labels, view_id, inventory_id }) =>
      add_labels.length + remove_labels.length > 0 || view_id !== undefined || inventory_id !== undefined,
    { ...fieldError('field.required'), path: ['add_labels'] },
  );
