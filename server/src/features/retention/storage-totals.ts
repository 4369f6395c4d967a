import type { Selectable } from 'kysely';
import type { TemplateStorageTable } from '../../database/storage.schema.ts';

/** Days over which growth is an average. */
const SPAN_DAYS = 30;

type Row = Pick<
  Selectable<TemplateStorageTable>,
  'tasks' | 'logs' | 'log_bytes' | 'result_bytes' | 'written' | 'expiring'
>;

/** The columns with the sizes of a template. PostgreSQL answers them as text. */
export const SIZE_COLUMNS = ['tasks', 'logs', 'log_bytes', 'result_bytes', 'written', 'expiring'] as const;

/** The sizes of a row, or of the sum of several. */
export const presentSizes = (row: { readonly [Column in keyof Row]: number | string | null }) => ({
  tasks: Number(row.tasks),
  logs: Number(row.logs),
  log_bytes: Number(row.log_bytes),
  result_bytes: Number(row.result_bytes),
  written_per_day: Math.round(Number(row.written) / SPAN_DAYS),
  growth_per_day: Math.round((Number(row.written) - Number(row.expiring)) / SPAN_DAYS),
});

export type Sizes = ReturnType<typeof presentSizes>;

export const sumSizes = (all: readonly Sizes[]): Sizes => {
  const sum = (of: keyof Sizes): number => all.reduce((total, sizes) => total + sizes[of], 0);
  return {
    tasks: sum('tasks'),
    logs: sum('logs'),
    log_bytes: sum('log_bytes'),
    result_bytes: sum('result_bytes'),
    written_per_day: sum('written_per_day'),
    growth_per_day: sum('growth_per_day'),
  };
};

/** The larger one first. */
export const bySize = (a: Sizes, b: Sizes): number =>
  b.log_bytes + b.result_bytes - a.log_bytes - a.result_bytes || b.tasks - a.tasks;

/** The oldest of some times; null without any. */
export const oldestOf = (times: readonly string[]): string | null => times.toSorted()[0] ?? null;
