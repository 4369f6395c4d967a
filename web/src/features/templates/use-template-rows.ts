import type { Label, Template } from '@signalbox/contract';
import { useDeferredValue, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { groupedRows } from './labels/label-groups.ts';
import { type Names, readSorting, sortTemplates, statusOf, templateFilter } from './template-list.ts';
import type { TemplatesState } from './templates-state.ts';

interface ChosenRows extends Omit<TemplatesState, 'q'> {
  readonly text: string;
}

const useRowsOf = (
  templates: readonly Template[],
  { text, status, label, group, sort }: ChosenRows,
  names: Names,
  labels: readonly Label[],
) => {
  const { i18n } = useTranslation();
  const ordered = useMemo(() => sortTemplates(templates, readSorting(sort), names), [templates, sort, names]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the rows contain text in the chosen language
  const find = useMemo(() => templateFilter(ordered, names), [ordered, names, i18n.language]);
  /** The templates that match the text. */
  const found = useMemo(() => find(text), [find, text]);
  /** Those of them that have the label. */
  const matching = useMemo(
    () => (label === undefined ? found : found.filter((template) => template.labels.includes(label))),
    [found, label],
  );
  /** Those of them that have the status. */
  const shown = useMemo(
    () => (status === undefined ? matching : matching.filter((template) => statusOf(template) === status)),
    [matching, status],
  );
  const rows = useMemo(() => groupedRows(shown, group === undefined ? undefined : labels), [shown, group, labels]);
  return { text, found, matching, shown, rows };
};

/**
 * The templates that the list shows, filtered, sorted and grouped. A change of the filter or the order is shown after the
 * key or the click, so that it does not block them. New templates are shown at once: a deferred rendering begins again
 * with each answer that arrives, and a page that opens gets a dozen.
 */
export const useTemplateRows = (
  templates: readonly Template[],
  { q, status, label, group, sort }: TemplatesState,
  names: Names,
  labels: readonly Label[],
) => {
  const chosen = useMemo(() => ({ text: q ?? '', status, label, group, sort }), [q, status, label, group, sort]);
  return useRowsOf(templates, useDeferredValue(chosen), names, labels);
};
