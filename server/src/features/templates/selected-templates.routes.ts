import type { Template } from '@signalbox/contract';
import type { Handlers } from '../../http/calls/call.ts';
import { eachPermitted } from '../../http/objects/each-selected.ts';
import type { TemplateEdits } from './template-edits.ts';

interface LabelChange {
  readonly add_labels: readonly number[];
  readonly remove_labels: readonly number[];
}

const changedLabels = ({ labels }: Template, { add_labels, remove_labels }: LabelChange): number[] => {
  const kept = labels.filter((id) => !remove_labels.includes(id));
  return [...kept, ...add_labels.filter((id) => !kept.includes(id))];
};

/** The template of a selected template. */
const itself = async (id: number): Promise<number> => id;

/** Calls that change several templates, each in a transaction of its own. */
export const selectedTemplatesRoutes = (
  edits: TemplateEdits,
): Pick<Handlers, 'changeTemplates' | 'copyTemplates' | 'deleteTemplates'> => ({
  changeTemplates: (call) =>
    eachPermitted(call, itself, (id, permitted) => {
      const { view_id, inventory_id } = call.body;
      const fieldsOf = (template: Template) => ({
        labels: changedLabels(template, call.body),
        ...(view_id !== undefined && { view_id }),
        ...(inventory_id !== undefined && { inventory_id }),
      });
      return edits.change(permitted, id, { fieldsOf, confirmsImport: false });
    }),

  copyTemplates: (call) =>
    eachPermitted(call, itself, async (id, permitted) => {
      await edits.copy(permitted, id, call.body.suffix);
    }),

  deleteTemplates: (call) => eachPermitted(call, itself, (id, permitted) => edits.remove(permitted, id)),
});
