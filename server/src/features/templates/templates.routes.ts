import type { Task, Template } from '@signalbox/contract';
import type { Clock } from '../../clock.ts';
import type { Database, State } from '../../database/database.ts';
import { belongsTo } from '../../database/same-project.ts';
import { badField, notFound } from '../../http/api-error.ts';
import type { Handlers } from '../../http/call.ts';
import { checkReferences } from '../../http/references.ts';
import { orTaken } from '../../http/taken.ts';
import { insertTemplate, presentTemplate, type TemplateFacts } from './template.store.ts';

interface TaskQuery {
  readonly projectId: number;
  readonly templateId: number;
  readonly status?: Task['status'] | undefined;
  readonly limit: number;
}

interface Needs {
  readonly database: Database;
  readonly clock: Clock;
  readonly findTasks: (db: State, ids: readonly number[]) => Promise<Map<number, Task>>;
  readonly listTasks: (database: Database, query: TaskQuery) => Promise<Task[]>;
}

const LAST = 200;
const MOST = 1000;

/** Everything that a template names must be of its own project, and a deploy must build on a build. */
const checkTemplate = async (db: State, projectId: number, facts: TemplateFacts): Promise<void> => {
  await checkReferences(db, projectId, [
    ['inventory_id', 'inventory', facts.inventory_id],
    ['environment_id', 'environment', facts.environment_id],
    ['repository_id', 'repository', facts.repository_id],
    ['vault_key_id', 'access_key', facts.vault_key_id],
    ['view_id', 'view', facts.view_id],
    ['build_template_id', 'template', facts.build_template_id],
  ]);
  if (facts.vault_key_id !== null) {
    const key = await db
      .selectFrom('access_key')
      .select('type')
      .where('id', '=', facts.vault_key_id)
      .executeTakeFirst();
    if (key?.type !== 'login_password') throw badField('vault_key_id', 'must be a key with a password');
  }
  if (facts.type === 'deploy' && facts.build_template_id !== null) {
    const built = await db
      .selectFrom('template')
      .select('type')
      .where('id', '=', facts.build_template_id)
      .executeTakeFirst();
    if (built?.type !== 'build') throw badField('build_template_id', 'must be a template of type build');
  }
};

type TemplateRoutes =
  | 'listTemplates'
  | 'listViewTemplates'
  | 'createTemplate'
  | 'getTemplate'
  | 'listTemplateTasks'
  | 'listLastTemplateTasks';

export const templatesRoutes = ({ database, clock, findTasks, listTasks }: Needs): Pick<Handlers, TemplateRoutes> => {
  const templates = (projectId: number) =>
    database.read.selectFrom('template').selectAll().where('project_id', '=', projectId).orderBy('name');

  const withLastTasks = async (
    rows: Awaited<ReturnType<ReturnType<typeof templates>['execute']>>,
  ): Promise<Template[]> => {
    const tasks = await findTasks(
      database.read,
      rows.flatMap((row) => (row.last_task_id === null ? [] : [row.last_task_id])),
    );
    return rows.map((row) => presentTemplate(row, tasks.get(row.last_task_id ?? 0) ?? null));
  };

  const mustExist = async (table: 'template' | 'view', projectId: number, id: number): Promise<void> => {
    if (!(await belongsTo(database.read, table, id, projectId))) throw notFound();
  };

  return {
    listTemplates: async ({ params }) => withLastTasks(await templates(params.project_id).execute()),

    listViewTemplates: async ({ params }) => {
      await mustExist('view', params.project_id, params.view_id);
      return await withLastTasks(await templates(params.project_id).where('view_id', '=', params.view_id).execute());
    },

    createTemplate: async ({ params, body, actor }) => {
      await checkTemplate(database.read, params.project_id, body);
      return await orTaken(database, `There is already a template named ${body.name}.`, () =>
        database.write((tx) => insertTemplate(tx, params.project_id, body, actor, clock.now())),
      );
    },

    getTemplate: async ({ params }) => {
      const rows = await templates(params.project_id).where('id', '=', params.template_id).execute();
      const [template] = await withLastTasks(rows);
      if (!template) throw notFound();
      return template;
    },

    listTemplateTasks: async ({ params, query }) => {
      await mustExist('template', params.project_id, params.template_id);
      return await listTasks(database, {
        projectId: params.project_id,
        templateId: params.template_id,
        status: query.status,
        limit: query.limit ?? MOST,
      });
    },

    listLastTemplateTasks: async ({ params, query }) => {
      await mustExist('template', params.project_id, params.template_id);
      return await listTasks(database, {
        projectId: params.project_id,
        templateId: params.template_id,
        limit: query.limit ?? LAST,
      });
    },
  };
};
