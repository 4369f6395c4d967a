import type { Template } from '@signalbox/contract';
import type { Handlers } from '../../http/calls/call.ts';
import { eachSelected } from '../../http/objects/each-selected.ts';
import type { TemplateEdits } from './template-edits.ts';

interface LabelChange {
  readonly add_labels: readonly number[];
  readonly remove_labels: readonly number[];
}

const changedLabels = ({ labels }: Template, { add_labels, remove_labels }: LabelChange): number[] => {
  const kept = labels.filter((id) => !remove_labels.includes(id));
  return [...kept, ...add_labels.filter((id) => !kept.includes(id))];
};

/** Calls that change several templates, each in a transaction of its own. */
export const selectedTemplatesRoutes = (
  edits: TemplateEdits,
): Pick<Handlers, 'changeTemplates' | 'copyTemplates' | 'deleteTemplates'> => ({
  changeTemplates: (call) =>
    eachSelected(call.body.ids, (id) => {
      const { view_id, inventory_id } = call.body;
      const fieldsOf = (template: Template) => ({
        labels: changedLabels(template, call.body),
        ...(view_id !== undefined && { view_id }),
        ...(inventory_id !== undefined && { inventory_id }),
      });
      const membership = call.permitTemplate(id);
      return edits.change({ ...call, membership }, id, { fieldsOf, confirmsImport: false });
    }),

  copyTemplates: (call) =>
    eachSelected(call.body.ids, async (id) => {
      await edits.copy({ ...call, membership: call.permitTemplate(id) }, id, call.body.suffix);
    }),

  deleteTemplates: (call) =>
    eachSelected(call.body.ids, (id) => edits.remove({ ...call, membership: call.permitTemplate(id) }, id)),
});
