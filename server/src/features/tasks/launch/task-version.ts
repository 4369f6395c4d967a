import type { Selectable } from 'kysely';
import type { StateTransaction } from '../../../database/database.ts';
import type { TemplateTable } from '../../../database/schema.ts';
import { badField } from '../../../http/errors/api-error.ts';
import { nextVersion } from './next-version.ts';
import type { LaunchRequest } from './task-parameters.ts';

type Template = Selectable<TemplateTable>;

const buildVersion = async (tx: StateTransaction, template: Template): Promise<string> => {
  const latest = await tx
    .selectFrom('task')
    .select('version')
    .where('template_id', '=', template.id)
    // A template that used to be a deploy has tasks with versions of other builds.
    .where('tpl_type', '=', 'build')
    .where('version', 'is not', null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return nextVersion(template.start_version ?? '1', latest?.version ?? null);
};

/** The build to deploy. It must exist, belong to the right template, and have succeeded. */
const findBuild = async (tx: StateTransaction, template: Template, buildTaskId: number | null | undefined) => {
  if (!buildTaskId) throw badField('build_task_id', 'field.required');
  const build = await tx
    .selectFrom('task')
    .select(['id', 'version'])
    .where('id', '=', buildTaskId)
    .where('template_id', '=', template.build_template_id ?? 0)
    .where('status', '=', 'success')
    .executeTakeFirst();
  if (!build) throw badField('build_task_id', 'field.build');
  return build;
};

/** Only a deploy uses a build. For other templates the id is ignored, but must not belong to another project. */
const checkProjectOf = async (
  tx: StateTransaction,
  template: Template,
  taskId: number,
  hidden: ReadonlySet<number> | undefined,
): Promise<void> => {
  const own = await tx
    .selectFrom('task')
    .select('template_id')
    .where('id', '=', taskId)
    .where('project_id', '=', template.project_id)
    .executeTakeFirst();
  if (!own || hidden?.has(own.template_id)) throw badField('build_task_id', 'field.not_of_project');
};

/**
 * The version of a task and the build that it deploys: a build gets a new version, a deploy that of its build.
 * @param hidden ids of the templates that the caller must not see
 * @throws bad_input naming `build_task_id`
 */
export const versionOf = async (
  tx: StateTransaction,
  template: Template,
  { build_task_id }: LaunchRequest,
  hidden: ReadonlySet<number> | undefined,
) => {
  if (template.type !== 'deploy' && build_task_id) await checkProjectOf(tx, template, build_task_id, hidden);
  if (template.type === 'build') return { version: await buildVersion(tx, template), buildTaskId: null };
  if (template.type === '') return { version: null, buildTaskId: null };
  const build = await findBuild(tx, template, build_task_id);
  return { version: build.version, buildTaskId: build.id };
};
