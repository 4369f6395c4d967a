import type { SortKey, TemplateColumn } from './template-list.ts';

/** Catalogue keys of the column headers. */
export const COLUMN_LABELS: Readonly<Record<TemplateColumn | SortKey, string>> = {
  name: 'column.name',
  status: 'column.status',
  outcomes: 'column.outcomes',
  version: 'column.version',
  last_task: 'column.lastTask',
  playbook: 'column.playbook',
  inventory: 'column.inventory',
  environment: 'column.environment',
  repository: 'column.repository',
};
