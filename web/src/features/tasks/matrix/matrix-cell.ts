import type { Column, StepColumn } from './matrix-columns.ts';
import type { MatrixHost } from './matrix-host.ts';

/**
 * What a cell of the matrix shows: the letter of a result, `a` for a step that the host works on, `.` for a step that did
 * not reach it, or a space for a step of a play that does not target it.
 */
export interface ShownCell {
  readonly letter: string;
  /** Number of changed steps of a folded role. */
  readonly changes: number;
}

/** Letters of results, and `a` for a step that the host works on, the worst first. */
export const WORST_FIRST = 'fuaircos';
const WORST = `${WORST_FIRST}. `;

/** Position of the step of a column that the host has a result of; that of the newest batch without one. */
export const positionIn = ({ cells }: Pick<MatrixHost, 'cells'>, { positions }: StepColumn): number => {
  for (const position of positions) if ((cells[position] ?? '.') !== '.') return position;
  return positions.at(-1) ?? 0;
};

export const letterOf = (host: Pick<MatrixHost, 'cells'>, step: StepColumn): string =>
  host.cells[positionIn(host, step)] ?? '.';

/** The step of a column with the worst result of a host: the one that is opened for a folded role. */
export const worstStep = (host: Pick<MatrixHost, 'cells'>, { steps }: Column): StepColumn | undefined =>
  steps.reduce<StepColumn | undefined>(
    (worst, step) =>
      worst && WORST.indexOf(letterOf(host, worst)) <= WORST.indexOf(letterOf(host, step)) ? worst : step,
    undefined,
  );

/**
 * What a host shows in each column, as a text that is the same for hosts that are alike: a letter, and for folded roles
 * the number of changes.
 * @param running position of the step that the host works on
 * @param isElsewhere whether the play of the step at a position does not target the host
 */
export const shownText = (
  host: MatrixHost,
  columns: readonly Column[],
  running: number | undefined,
  isElsewhere: (position: number) => boolean,
): string => {
  let text = '';
  for (const column of columns) {
    let worst = WORST.length - 1;
    let changes = 0;
    for (const step of column.steps) {
      const position = positionIn(host, step);
      const result = position === running ? 'a' : (host.cells[position] ?? '.');
      const letter = result === '.' && step.positions.every(isElsewhere) ? ' ' : result;
      worst = Math.min(worst, WORST.indexOf(letter));
      if (letter === 'c') changes += 1;
    }
    const letter = WORST[worst] ?? '.';
    text += column.isRole ? `${letter}${changes};` : letter;
  }
  return text;
};

/** The cells of a text of {@link shownText}. */
export const shownCells = (text: string, columns: readonly Column[]): ShownCell[] => {
  let at = 0;
  return columns.map(({ isRole }) => {
    const letter = text[at] ?? '.';
    at += 1;
    if (!isRole) return { letter, changes: 0 };
    const end = text.indexOf(';', at);
    const changes = Number(text.slice(at, end));
    at = end + 1;
    return { letter, changes };
  });
};

/** Positions of the columns in which a host of these groups failed or was unreachable. */
export const badColumns = ({
  columns,
  groups,
}: {
  readonly columns: readonly Column[];
  readonly groups: readonly { readonly shown: string }[];
}): ReadonlySet<number> => {
  const bad = new Set<number>();
  for (const { shown } of groups) {
    if (!/[fu]/.test(shown)) continue;
    for (const [at, { letter }] of shownCells(shown, columns).entries())
      if (letter === 'f' || letter === 'u') bad.add(at);
  }
  return bad;
};
