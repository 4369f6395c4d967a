import type { StateReader, StateTransaction } from '../../database/database.ts';

/** The ids of the labels of templates, by the id of the template, in ascending order. */
export type LabelsOf = ReadonlyMap<number, number[]>;

/** Finds the labels of templates: of one, or of all of a project. */
export const findLabels = async (
  db: StateReader,
  { projectId, templateId }: { readonly projectId: number; readonly templateId?: number },
): Promise<LabelsOf> => {
  const rows = await db
    .selectFrom('template_label')
    .innerJoin('label', 'label.id', 'template_label.label_id')
    .select(['template_label.template_id', 'template_label.label_id'])
    .where('label.project_id', '=', projectId)
    .$if(templateId !== undefined, (query) => query.where('template_label.template_id', '=', templateId ?? 0))
    .orderBy('template_label.label_id')
    .execute();
  const found = new Map<number, number[]>();
  for (const { template_id, label_id } of rows) {
    const labels = found.get(template_id);
    if (labels) labels.push(label_id);
    else found.set(template_id, [label_id]);
  }
  return found;
};

/** Replaces the labels of a template. The caller has checked that they belong to its project. */
export const storeLabels = async (
  tx: StateTransaction,
  templateId: number,
  labels: readonly number[],
): Promise<void> => {
  await tx.deleteFrom('template_label').where('template_id', '=', templateId).execute();
  // In ascending order, so that two transactions never wait for each other's labels.
  const rows = labels.toSorted((a, b) => a - b).map((label_id) => ({ template_id: templateId, label_id }));
  if (rows.length > 0) await tx.insertInto('template_label').values(rows).execute();
};
