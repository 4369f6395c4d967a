import { NewTemplate, type Sorting, type Task } from '@signalbox/contract';
import type { Clock } from '../../clock.ts';
import type { Database, StateTransaction } from '../../database/database.ts';
import { belongsTo } from '../../database/same-project.ts';
import { findReferences } from '../../database/used-by.ts';
import { notFound } from '../../http/api-error.ts';
import type { Handlers } from '../../http/call.ts';
import { merged } from '../../http/change.ts';
import { changeObject, deleteObject, type ObjectKind } from '../../http/project-object.ts';
import { sortedTasks } from '../../http/sorted-tasks.ts';
import { orTaken } from '../../http/taken.ts';
import { checkTemplate } from './template.policy.ts';
import { insertTemplate, presentTemplate, templateColumns } from './template.store.ts';
import { type FindTasks, sortTemplates, withLastTasks } from './template-list.ts';

interface TaskQuery {
  readonly projectId: number;
  readonly templateId: number;
  readonly status?: Task['status'] | undefined;
  readonly limit: number;
}

interface Needs {
  readonly database: Database;
  readonly clock: Clock;
  readonly findTasks: FindTasks;
  readonly listTasks: (database: Database, query: TaskQuery) => Promise<Task[]>;
  /** Deletes the tasks of a template, with their logs; refuses while one of them is active. */
  readonly deleteTasksOf: (tx: StateTransaction, templateId: number) => Promise<void>;
}

const LAST = 200;
const MOST = 1000;

type TemplateRoutes =
  | 'listTemplates'
  | 'listViewTemplates'
  | 'createTemplate'
  | 'getTemplate'
  | 'updateTemplate'
  | 'deleteTemplate'
  | 'getTemplateReferences'
  | 'listTemplateTasks'
  | 'listLastTemplateTasks';

export const templatesRoutes = (needs: Needs): Pick<Handlers, TemplateRoutes> => {
  const { database, clock, findTasks, listTasks, deleteTasksOf } = needs;
  const kind: ObjectKind<'template'> = {
    table: 'template',
    noun: 'Template',
    name: (row) => row.name,
    present: async (db, row) => (await withLastTasks(db, findTasks, [row]))[0],
  };
  const templates = (projectId: number) =>
    database.read.selectFrom('template').selectAll().where('project_id', '=', projectId);

  const mustExist = async (table: 'template' | 'view', projectId: number, id: number): Promise<void> => {
    if (!(await belongsTo(database.read, table, id, projectId))) throw notFound();
  };

  const answer = async (query: ReturnType<typeof templates>, projectId: number, sorting: Sorting) => {
    const listed = await withLastTasks(database.read, findTasks, await query.execute());
    return await sortTemplates(database.read, projectId, listed, sorting);
  };

  return {
    listTemplates: ({ params, query }) => answer(templates(params.project_id), params.project_id, query),

    listViewTemplates: async ({ params, query }) => {
      await mustExist('view', params.project_id, params.view_id);
      return await answer(templates(params.project_id).where('view_id', '=', params.view_id), params.project_id, query);
    },

    createTemplate: ({ params, body, actor }) =>
      orTaken(database, `There is already a template named ${body.name}.`, () =>
        database.write(async (tx) => {
          await checkTemplate(tx, params.project_id, body);
          return await insertTemplate(tx, params.project_id, body, actor, clock.now());
        }),
      ),

    getTemplate: async ({ params }) => {
      const rows = await templates(params.project_id).where('id', '=', params.template_id).execute();
      const [template] = await withLastTasks(database.read, findTasks, rows);
      if (!template) throw notFound();
      return template;
    },

    updateTemplate: (call) =>
      changeObject({ database, clock }, kind, call, call.params.template_id, async (tx, row) => {
        const facts = merged(NewTemplate, presentTemplate(row, null), call.body);
        await checkTemplate(tx, row.project_id, facts, row.id);
        return templateColumns(facts);
      }),

    deleteTemplate: (call) =>
      deleteObject({ database, clock }, kind, call, call.params.template_id, (tx, row) => deleteTasksOf(tx, row.id)),

    getTemplateReferences: async ({ params }) => {
      await mustExist('template', params.project_id, params.template_id);
      return await findReferences(database.read, 'template', params.template_id);
    },

    listTemplateTasks: async ({ params, query }) => {
      await mustExist('template', params.project_id, params.template_id);
      const tasks = await listTasks(database, {
        projectId: params.project_id,
        templateId: params.template_id,
        status: query.status,
        limit: query.limit ?? MOST,
      });
      return sortedTasks(tasks, query, clock.now());
    },

    listLastTemplateTasks: async ({ params, query }) => {
      await mustExist('template', params.project_id, params.template_id);
      const tasks = await listTasks(database, {
        projectId: params.project_id,
        templateId: params.template_id,
        limit: query.limit ?? LAST,
      });
      return sortedTasks(tasks, query, clock.now());
    },
  };
};
