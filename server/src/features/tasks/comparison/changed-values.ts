import { ComparedField, type Task, type TaskComparison } from '@signalbox/contract';

/** The fields in which two tasks differ. */
export const changedFields = (earlier: Task, later: Task): ComparedField[] =>
  ComparedField.options.filter((field) => JSON.stringify(earlier[field]) !== JSON.stringify(later[field]));

const answersOf = ({ environment }: Task): Record<string, unknown> => {
  try {
    return { ...(JSON.parse(environment) as object) };
  } catch {
    // Tasks of earlier versions may have variables that are no JSON.
    return { '': environment };
  }
};

const jsonOf = (answers: Record<string, unknown>, name: string): string | null =>
  Object.hasOwn(answers, name) ? JSON.stringify(answers[name]) : null;

/** The answers and variables that differ, by name. */
export const changedAnswers = (earlier: Task, later: Task): TaskComparison['answers'] => {
  const [before, after] = [answersOf(earlier), answersOf(later)];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return names
    .map((name) => ({ name, earlier: jsonOf(before, name), later: jsonOf(after, name) }))
    .filter((answer) => answer.earlier !== answer.later);
};
