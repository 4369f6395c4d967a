import { FINAL_STATUSES, type RetentionSource } from '@signalbox/contract';
import { type Selectable, sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import { newestOf } from '../../database/queries/newest-of.ts';
import type { ProjectTable } from '../../database/schema.ts';
import { protectedTasks } from './protected-tasks.ts';

/**
 * How long ended tasks and their logs are kept: days (0 means forever), and a number of tasks that are kept
 * regardless of their age.
 */
export interface Retention {
  readonly tasksDays: number;
  readonly logsDays: number;
  readonly leastTasks: number;
}

type Settings = Pick<Selectable<ProjectTable>, 'keep_tasks_days' | 'keep_logs_days' | 'keep_tasks_min'>;

const DAY_MS = 24 * 3600 * 1000;

/** The settings of a template, or of its project or of the system where the nearer one has none. */
export const retentionOf = (
  template: Settings,
  project: Settings,
  system: Retention,
): Retention & { readonly logsSetBy: RetentionSource } => ({
  tasksDays: template.keep_tasks_days ?? project.keep_tasks_days ?? system.tasksDays,
  logsDays: template.keep_logs_days ?? project.keep_logs_days ?? system.logsDays,
  leastTasks: template.keep_tasks_min ?? project.keep_tasks_min ?? system.leastTasks,
  logsSetBy: template.keep_logs_days !== null ? 'template' : project.keep_logs_days !== null ? 'project' : 'system',
});

/** Lists all templates with their own settings and those that apply to them, in the order of their ids. */
export const readRetentions = async ({ read }: Pick<Database, 'read'>, system: Retention, projectId?: number) => {
  const columns = ['keep_tasks_days', 'keep_logs_days', 'keep_tasks_min'] as const;
  const ofProject = projectId === undefined ? ([] as const) : [projectId];
  const projects = await read
    .selectFrom('project')
    .select(['id', ...columns])
    .$if(projectId !== undefined, (query) => query.where('id', 'in', ofProject))
    .execute();
  const templates = await read
    .selectFrom('template')
    .select(['id', 'project_id', ...columns])
    .$if(projectId !== undefined, (query) => query.where('project_id', 'in', ofProject))
    .orderBy('id')
    .execute();
  const byId = new Map(projects.map((project) => [project.id, project]));
  return templates.flatMap(({ id, project_id, ...own }) => {
    const project = byId.get(project_id);
    return project ? [{ id, projectId: project_id, ...retentionOf(own, project, system) }] : [];
  });
};

/** Tasks that ended before this time are expired; undefined when tasks are kept forever. */
export const cutoff = (days: number, now: Date): string | undefined =>
  days === 0 ? undefined : new Date(now.getTime() - days * DAY_MS).toISOString();

/** Id of the oldest task of a template that is kept regardless of its age; undefined when there are fewer tasks. */
const oldestKept = async (database: Database, templateId: number, least: number): Promise<number | undefined> => {
  const ended = database.read.selectFrom('task').select('id').where('status', 'in', FINAL_STATUSES);
  const row = await newestOf(database, ended, 'task', { template_id: templateId })
    .offset(least - 1)
    .limit(1)
    .executeTakeFirst();
  return row?.id;
};

/**
 * Yields tasks of a template that ended before a time, oldest first, in pages, until a page has none. Leaves out
 * builds that are being deployed or wait for a deploy, tasks that users keep,
 * and those that always stay.
 */
export async function* expiredTasks(
  database: Database,
  what: 'task' | 'log',
  template: { readonly id: number; readonly least: number; readonly before: string },
  page: number,
): AsyncGenerator<number[]> {
  const edge = await oldestKept(database, template.id, template.least);
  if (edge === undefined) return;
  const staying = await protectedTasks(database, template.id);
  for (let after = 0; ; ) {
    const rows = await database.read
      .selectFrom('task')
      .select('id')
      .select((eb) => eb.fn.coalesce('end_time', 'created').as('ended'))
      .where('template_id', '=', template.id)
      .where('id', '>', after)
      .where('id', '<', edge)
      .where('status', 'in', FINAL_STATUSES)
      .where('kept', '=', 0)
      // A parameter would not lead to the index of the tasks with logs.
      .$if(what === 'log', (query) => query.where('log_removed', '=', sql.lit(0)))
      .where((eb) =>
        eb.not(
          eb.exists(
            eb
              .selectFrom('task as deploy')
              .select('deploy.id')
              .whereRef('deploy.build_task_id', '=', 'task.id')
              .where('deploy.status', 'not in', FINAL_STATUSES),
          ),
        ),
      )
      .orderBy('id')
      .limit(page)
      .execute();
    const expired = rows.filter(({ ended }) => ended < template.before);
    const last = rows.at(-1);
    // Ids are in order of time, except for long runs. Tasks after a page without expired tasks wait for the next
    // sweep.
    if (expired.length === 0 || !last) return;
    const ids = expired.map(({ id }) => id).filter((id) => !staying.has(id));
    if (ids.length > 0) yield ids;
    after = last.id;
  }
}
