import { type BrokenTemplate, type EndReasonCode, endsBeforeHosts, MAX_OVERVIEW } from '@signalbox/contract';
import type { Database } from '../../database/database.ts';
import { newestOfEach } from '../../database/queries/newest-of-each.ts';
import { describedEndReason } from '../../end-reason.ts';

/** Number of the newest tasks of each template that are read. */
const READ = 10;

/** Templates whose last task did not succeed. Of most projects they are few, so few tasks are read. */
const findDoubtful = async ({ read }: Database, projectId: number): Promise<number[]> => {
  const rows = await read
    .selectFrom('template')
    .innerJoin('task', 'task.id', 'template.last_task_id')
    .select('template.id')
    .where('template.project_id', '=', projectId)
    .where((eb) => eb.or([eb('task.status', '<>', 'success'), eb('task.dry_run', '=', 1)]))
    .execute();
  return rows.map(({ id }) => id);
};

/**
 * The newest tasks of templates that show whether they work: without dry runs and stopped tasks. They are left out
 * here, because a condition on the status makes SQLite read all tasks for each template.
 */
const readRuns = async (database: Database, projectId: number) => {
  const templates = await findDoubtful(database, projectId);
  const rows = await newestOfEach(database, projectId, READ)
    .where('template.id', 'in', [0, ...templates])
    .select(['template.id as template_id', 'template.name', 'task.id', 'task.status', 'task.end_time'])
    .select(['task.end_reason', 'task.end_params', 'task.dry_run'])
    .execute();
  return rows.filter(({ status, dry_run }) => dry_run === 0 && (status === 'success' || status === 'error'));
};

const isBroken = ({ end_reason }: { readonly end_reason: EndReasonCode | null }): boolean =>
  end_reason !== null && endsBeforeHosts(end_reason);

/** Finds the templates whose last runs failed before they reached a host, the last one first. */
export const findBroken = async (
  database: Database,
  projectId: number,
  hidden: ReadonlySet<number>,
): Promise<BrokenTemplate[]> => {
  const rows = await readRuns(database, projectId);
  const failing = [...Map.groupBy(rows, ({ template_id }) => template_id)].flatMap(([id, tasks]) => {
    const runs = tasks.toSorted((a, b) => b.id - a.id);
    const other = runs.findIndex((run) => !isBroken(run));
    const failed = other < 0 ? runs : runs.slice(0, other);
    return hidden.has(id) || failed.length === 0 ? [] : [failed];
  });
  return failing
    .flatMap((failed): BrokenTemplate[] => {
      const [newest, oldest] = [failed[0], failed.at(-1)];
      if (!newest) return [];
      const { template_id, name, id: task_id } = newest;
      const since = oldest?.end_time ?? newest.end_time ?? '';
      return [{ template_id, name, task_id, end_reason: describedEndReason(newest), since, runs: failed.length }];
    })
    .toSorted((a, b) => b.task_id - a.task_id)
    .slice(0, MAX_OVERVIEW);
};
