import type { Database } from '../../database/database.ts';
import { newestOf } from '../../database/queries/newest-of.ts';

const ENDS = ['success', 'error'] as const;

/** Ids of the last success and the last failure of a template, of any run and of runs that changed hosts. */
const lastEnds = async (database: Database, templateId: number): Promise<number[]> => {
  const ids: number[] = [];
  for (const status of ENDS) {
    const newest = newestOf(database, database.read.selectFrom('task').select('id'), 'task', {
      status,
      template_id: templateId,
    }).limit(1);
    const any = await newest.executeTakeFirst();
    if (!any) continue;
    const real = await newest.where('dry_run', '=', 0).executeTakeFirst();
    ids.push(any.id, ...(real ? [real.id] : []));
  }
  return ids;
};

/** Ids of the last tasks of a template with failures that no later run fixed. */
export type UnfixedRuns = (templateId: number) => Promise<readonly number[]>;

/** Ids of the last tasks with failures that have a note or are known or assigned. */
const tasksOfNotes = async ({ read }: Database, templateId: number): Promise<number[]> => {
  const rows = await read
    .selectFrom('failure_template')
    .innerJoin('failure', 'failure.id', 'failure_template.failure_id')
    .select('last_task_id')
    .where('template_id', '=', templateId)
    .where((eb) =>
      eb.or([
        eb('note', '<>', ''),
        eb('known_until', 'is not', null),
        eb('known_commit', '<>', ''),
        eb('assignee_id', 'is not', null),
      ]),
    )
    .execute();
  return rows.map(({ last_task_id }) => last_task_id);
};

/** Ids of the builds that the deploy templates of a build template took last, so that they can be deployed again. */
const deployedBuilds = async (database: Database, templateId: number): Promise<number[]> => {
  const { read } = database;
  const deploys = await read
    .selectFrom('template')
    .select(['id', 'last_task_id'])
    .where('build_template_id', '=', templateId)
    .execute();
  const ids: number[] = [];
  for (const { id, last_task_id } of deploys)
    ids.push(...(last_task_id === null ? [] : [last_task_id]), ...(await lastEnds(database, id)));
  if (ids.length === 0) return [];
  const rows = await read.selectFrom('task').select('build_task_id').where('id', 'in', ids).execute();
  return rows.flatMap(({ build_task_id }) => (build_task_id === null ? [] : [build_task_id]));
};

/**
 * Ids of the protected tasks of a template, which retention removes at no age: its last success and last failure, the
 * runs that show failures which are not fixed or have a note, and the builds that deploys need. Tasks that a user keeps
 * are not among them.
 */
export const protectedTasks = async (
  database: Database,
  unfixedRuns: UnfixedRuns,
  templateId: number,
): Promise<ReadonlySet<number>> =>
  new Set([
    ...(await lastEnds(database, templateId)),
    ...(await unfixedRuns(templateId)),
    ...(await tasksOfNotes(database, templateId)),
    ...(await deployedBuilds(database, templateId)),
  ]);
