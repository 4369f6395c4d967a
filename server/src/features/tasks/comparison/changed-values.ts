import { ComparedField, MAX_COMPARED_HOSTS, type Task, type TaskComparison } from '@signalbox/contract';

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

/** Hosts with results in one of two runs only. */
export const changedHosts = (earlier: readonly string[], later: readonly string[]): TaskComparison['hosts'] => {
  if (earlier.length === 0 || later.length === 0) return null;
  const [before, after] = [new Set(earlier), new Set(later)];
  const added = later.filter((host) => !before.has(host));
  const removed = earlier.filter((host) => !after.has(host));
  return {
    added: added.slice(0, MAX_COMPARED_HOSTS),
    added_count: added.length,
    removed: removed.slice(0, MAX_COMPARED_HOSTS),
    removed_count: removed.length,
    same_count: later.length - added.length,
  };
};
