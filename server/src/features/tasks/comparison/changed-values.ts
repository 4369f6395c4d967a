import { ComparedField, type Task, type TaskComparison } from '@signalbox/contract';
import type { StateReader } from '../../../database/database.ts';
import { findTask } from '../task.read-model.ts';
import { changedVersions } from './run-versions.ts';

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

/** What differs between two tasks of a project; undefined if one was deleted. */
export const changesBetween = async (db: StateReader, projectId: number, earlierId: number, laterId: number) => {
  const earlier = await findTask(db, projectId, earlierId);
  const later = await findTask(db, projectId, laterId);
  if (!earlier || !later) return undefined;
  const answers = changedAnswers(earlier, later).map(({ name }) => name);
  const versions = await changedVersions(db, earlierId, laterId);
  return { created: later.created, changed: changedFields(earlier, later), answers, versions };
};
