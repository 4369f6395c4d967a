import { ComparedField, type Task, type TaskComparison } from '@signalbox/contract';
import type { Selectable } from 'kysely';
import type { StateReader } from '../../../database/database.ts';
import type { TaskTable } from '../../../database/task.schema.ts';
import { hasChanged } from '../../../input-content.ts';
import { findTask } from '../task.read-model.ts';
import { changedVersions } from './run-versions.ts';

/** Fields that are no values of a task: it has only their digests. */
type Content = 'inventory_content' | 'environment_content';

const CONTENT: Readonly<Record<Content, readonly ['inventory_id' | 'environment_id', keyof Digests]>> = {
  inventory_content: ['inventory_id', 'inventory_digest'],
  environment_content: ['environment_id', 'environment_digest'],
};

const isContent = (field: ComparedField): field is Content => field in CONTENT;

type Digests = Pick<Selectable<TaskTable>, 'inventory_digest' | 'environment_digest'>;

const readDigests = async (db: StateReader, ids: readonly number[]): Promise<ReadonlyMap<number, Digests>> => {
  const rows = await db
    .selectFrom('task')
    .select(['id', 'inventory_digest', 'environment_digest'])
    .where('id', 'in', ids)
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
};

/** The fields in which two tasks differ, and those of which that is unknown. */
export const changedFields = async (
  db: StateReader,
  earlier: Task,
  later: Task,
): Promise<Pick<TaskComparison, 'changed' | 'unknown'>> => {
  const digests = await readDigests(db, [earlier.id, later.id]);
  const contentChanged = (field: Content): boolean | undefined => {
    const [object, digest] = CONTENT[field];
    // Another inventory has other content, and some apps have none.
    if (earlier[object] !== later[object]) return false;
    if (object === 'inventory_id' && later.app !== 'ansible') return false;
    const of = (task: Task) => ({ digest: digests.get(task.id)?.[digest] ?? null, commit: task.commit_hash });
    return hasChanged(of(earlier), of(later));
  };
  // Where it is known, also the arguments of the template count.
  const isKnown = earlier.tpl_arguments !== null && later.tpl_arguments !== null;
  const comparedValue = (task: Task, field: Exclude<ComparedField, Content>) =>
    JSON.stringify(field === 'arguments' && isKnown ? [task.tpl_arguments, task.arguments] : task[field]);
  const differs = (field: ComparedField): boolean | undefined =>
    isContent(field) ? contentChanged(field) : comparedValue(earlier, field) !== comparedValue(later, field);
  const compared = ComparedField.options.map((field) => ({ field, differs: differs(field) }));
  return {
    changed: compared.flatMap((one) => (one.differs === true ? one.field : [])),
    unknown: compared.flatMap((one) => (one.differs === undefined ? one.field : [])),
  };
};

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
  const { changed } = await changedFields(db, earlier, later);
  return { created: later.created, changed, answers, versions };
};
