import type { Run, Step } from '../results/run-model.ts';
import type { Column } from './matrix-columns.ts';
import type { Group } from './matrix-groups.ts';
import type { MatrixHost } from './matrix-host.ts';
import type { Row } from './matrix-rows.ts';
import type { Cell } from './move-cell.ts';
import type { Matrix } from './use-matrix.ts';

/** The opened result: a host, its group and a step. */
export interface OpenedCell {
  readonly host: MatrixHost;
  /** Undefined if the filters leave the host out. */
  readonly group: Group | undefined;
  readonly step: Step;
  /** Position of the step in the run. */
  readonly position: number;
}

/** The cell of an address such as `12-3`: the numbers of a host and of a step of the run. */
export const readCell = (cell: string | undefined, run: Run, matrix: Matrix | undefined): OpenedCell | undefined => {
  const [number, step] = (cell ?? '').split('-').map(Number);
  const found = number ? matrix?.hosts.find(({ host }) => host.number === number) : undefined;
  const position = run.steps.findLastIndex((one) => one.step === step);
  const own = run.steps[position];
  if (!found || !own) return undefined;
  const { host } = found;
  return { host, step: own, position, group: matrix?.groups.find(({ hosts }) => hosts.includes(host)) };
};

/** Where an opened result is in the matrix. */
export const chosenCell = (
  { host, group, position }: OpenedCell,
  rows: readonly Row[],
  columns: readonly Column[],
): Cell | undefined => {
  const own = rows.findIndex((row) => row.kind === 'host' && row.host === host);
  const row = own >= 0 ? own : rows.findIndex((one) => one.kind === 'group' && one.group === group);
  const column = columns.findIndex(({ steps }) => steps.some(({ positions }) => positions.includes(position)));
  return row >= 0 && column >= 0 ? { row, column } : undefined;
};

/** Why a cell has no result: the step may still run, or has ended without this host. */
export const emptyKey = ({ end }: Pick<Step, 'end'>, task: { readonly end: string | null }): string =>
  end === undefined && task.end === null ? 'matrix.notAnswered' : 'matrix.notRun';
