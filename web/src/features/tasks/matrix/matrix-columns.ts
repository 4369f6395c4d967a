import type { Play, Step } from '../results/run-model.ts';

/** A step of the matrix. The batches of a play with `serial` share their columns. */
export interface StepColumn {
  readonly name: string;
  /** Name of the role; empty for a step that belongs to none. */
  readonly role: string;
  /** Positions of its steps in the run: one for each batch. */
  readonly positions: number[];
  /** Number of the play, the same for all batches of a play. */
  readonly section: number;
}

/** A drawn column: one step, or all steps of a role. */
export interface Column {
  readonly label: string;
  readonly steps: readonly StepColumn[];
  readonly isRole: boolean;
  /** Whether a line separates it from the column before it. */
  readonly hasLine: boolean;
}

const SEPARATOR = ' : ';

const roleOf = (name: string): string => {
  const at = name.indexOf(SEPARATOR);
  return at > 0 ? name.slice(0, at) : '';
};

const shortName = ({ name, role }: StepColumn): string =>
  role === '' ? name : name.slice(role.length + SEPARATOR.length);

const keyOf = ({ name, action, path }: Step): string => JSON.stringify([name, action, path ?? '']);

/** Whether two plays with the same name are batches of one: their first steps are the same. */
const isBatch = ([before]: readonly Step[], [step]: readonly Step[]): boolean =>
  before !== undefined && step !== undefined && keyOf(before) === keyOf(step);

interface Section {
  readonly name: string;
  readonly first: readonly Step[];
  readonly columns: StepColumn[];
  readonly keys: string[];
}

/** Adds the steps of a play: to the columns of the batches before it, in their order, or to columns of their own. */
const addSteps = (
  section: Section,
  number: number,
  steps: readonly Step[],
  positionOf: ReadonlyMap<Step, number>,
): void => {
  let after = 0;
  for (const step of steps) {
    const key = keyOf(step);
    const found = section.keys.indexOf(key, after);
    const at = found >= 0 ? found : after;
    if (found < 0) {
      section.keys.splice(at, 0, key);
      section.columns.splice(at, 0, { name: step.name, role: roleOf(step.name), positions: [], section: number });
    }
    section.columns[at]?.positions.push(positionOf.get(step) ?? 0);
    after = at + 1;
  }
};

/** @param areMerged whether batches of a play share their columns; false if a host has results in several of them */
export const stepColumns = (
  { plays, steps }: { readonly plays: readonly Play[]; readonly steps: readonly Step[] },
  areMerged: boolean,
): StepColumn[] => {
  const positionOf = new Map(steps.map((step, at) => [step, at]));
  const sections: Section[] = [];
  for (const play of plays) {
    const last = sections.at(-1);
    const joins = areMerged && last?.name === play.name && isBatch(last.first, play.steps);
    if (!joins) sections.push({ name: play.name, first: play.steps, columns: [], keys: [] });
    const section = sections.at(-1);
    if (section) addSteps(section, sections.length, play.steps, positionOf);
  }
  return sections.flatMap(({ columns }) => columns);
};

/** The drawn columns. With folded roles, the steps of a role that follow each other are one column. */
export const drawnColumns = (steps: readonly StepColumn[], foldsRoles: boolean): Column[] => {
  const columns: (Column & { steps: StepColumn[] })[] = [];
  for (const [at, step] of steps.entries()) {
    const before = steps[at - 1];
    const isSame = before?.section === step.section && before.role === step.role;
    if (foldsRoles && step.role !== '' && isSame) columns.at(-1)?.steps.push(step);
    else
      columns.push({
        label: foldsRoles && step.role !== '' ? step.role : shortName(step),
        steps: [step],
        isRole: foldsRoles && step.role !== '',
        hasLine: !isSame,
      });
  }
  return columns;
};
