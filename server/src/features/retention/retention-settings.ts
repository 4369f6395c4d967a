import type { RetentionSource } from '@signalbox/contract';
import type { Selectable } from 'kysely';
import type { Database } from '../../database/database.ts';
import type { ProjectTable } from '../../database/schema.ts';

/**
 * How long ended tasks and their logs are stored: days (0 means forever), and a number of the newest tasks, which are
 * protected whatever their age.
 */
export interface Retention {
  readonly tasksDays: number;
  readonly logsDays: number;
  readonly leastTasks: number;
}

type Settings = Pick<Selectable<ProjectTable>, 'keep_tasks_days' | 'keep_logs_days' | 'keep_tasks_min'>;

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
