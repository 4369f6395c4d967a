import type { Label, Template } from '@signalbox/contract';

/** A row of the template list, within the group of a label if the list is grouped. */
export interface GroupedRow {
  readonly template: Template;
  /** Undefined for a list without groups, and for templates without labels. */
  readonly group: Label | undefined;
  /** Whether a heading for the group comes before the row. */
  readonly isFirst: boolean;
}

/**
 * The rows of the list. With labels, a template is in the group of each of its labels, and those without labels come
 * last.
 */
export const groupedRows = (templates: readonly Template[], labels: readonly Label[] | undefined): GroupedRow[] => {
  if (labels === undefined) return templates.map((template) => ({ template, group: undefined, isFirst: false }));
  const ofGroup = (group: Label | undefined, members: readonly Template[]): GroupedRow[] =>
    members.map((template, at) => ({ template, group, isFirst: at === 0 }));
  return [
    ...labels.flatMap((label) =>
      ofGroup(
        label,
        templates.filter((template) => template.labels.includes(label.id)),
      ),
    ),
    ...ofGroup(
      undefined,
      templates.filter((template) => template.labels.length === 0),
    ),
  ];
};
