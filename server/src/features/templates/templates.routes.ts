import type { Sorting, Task } from '@signalbox/contract';
import type { Database } from '../../database/database.ts';
import { belongsTo } from '../../database/queries/same-project.ts';
import { findReferences } from '../../database/queries/used-by.ts';
import { type Handlers, hiddenFrom } from '../../http/calls/call.ts';
import { notFound } from '../../http/errors/api-error.ts';
import { listPage } from '../../http/objects/list-page.ts';
import { sortedTasks } from '../../http/objects/sorted-tasks.ts';
import { selectedTemplatesRoutes } from './selected-templates.routes.ts';
import { type EditDeps, templateEdits } from './template-edits.ts';
import { sortTemplates, withLastTasks } from './template-list.ts';

interface TaskQuery {
  readonly projectId: number;
  readonly templateId: number;
  readonly status?: Task['status'] | undefined;
  readonly limit: number;
}

interface Deps extends EditDeps {
  readonly listTasks: (database: Database, query: TaskQuery) => Promise<Task[]>;
}

const LAST_TASKS = 200;
const MAX_TASKS = 1000;

type TemplateRoutes =
  | 'listTemplates'
  | 'listViewTemplates'
  | 'createTemplate'
  | 'getTemplate'
  | 'updateTemplate'
  | 'deleteTemplate'
  | 'changeTemplates'
  | 'copyTemplates'
  | 'deleteTemplates'
  | 'getTemplateReferences'
  | 'listTemplateTasks'
  | 'listLastTemplateTasks';

export const templatesRoutes = (deps: Deps): Pick<Handlers, TemplateRoutes> => {
  const { database, clock, findTasks, listTasks } = deps;
  const edits = templateEdits(deps);
  const templates = (projectId: number) =>
    database.read.selectFrom('template').selectAll().where('project_id', '=', projectId);

  const without = (hidden: ReadonlySet<number>, query: ReturnType<typeof templates>): ReturnType<typeof templates> =>
    hidden.size === 0 ? query : query.where('id', 'not in', [...hidden]);

  const mustExist = async (table: 'template' | 'view', projectId: number, id: number): Promise<void> => {
    if (!(await belongsTo(database.read, table, id, projectId))) throw notFound();
  };

  const answer = async (query: ReturnType<typeof templates>, projectId: number, sorting: Sorting) => {
    const listed = await withLastTasks(database.read, findTasks, await query.execute());
    return await sortTemplates(database.read, projectId, listed, sorting);
  };

  return {
    listTemplates: ({ params, query, hidden }) =>
      answer(without(hidden, templates(params.project_id)), params.project_id, query),

    listViewTemplates: async ({ params, query, hidden, hiddenViews }) => {
      if (hiddenViews.has(params.view_id)) throw notFound();
      await mustExist('view', params.project_id, params.view_id);
      const ofView = without(hidden, templates(params.project_id)).where('view_id', '=', params.view_id);
      return await answer(ofView, params.project_id, query);
    },

    createTemplate: (call) => edits.create(call, call.body),

    getTemplate: async ({ params }) => {
      const rows = await templates(params.project_id).where('id', '=', params.template_id).execute();
      const [template] = await withLastTasks(database.read, findTasks, rows);
      if (!template) throw notFound();
      return template;
    },

    updateTemplate: (call) =>
      edits.change(call, call.params.template_id, { fieldsOf: () => call.body, confirmsImport: true }),

    deleteTemplate: (call) => edits.remove(call, call.params.template_id),

    ...selectedTemplatesRoutes(edits),

    getTemplateReferences: async ({ params, membership }) => {
      await mustExist('template', params.project_id, params.template_id);
      return await findReferences(database.read, 'template', params.template_id, hiddenFrom(membership));
    },

    listTemplateTasks: async (call) => {
      const { project_id: projectId, template_id: templateId } = call.params;
      await mustExist('template', projectId, templateId);
      const { status } = call.query;
      const tasks = await listPage(call, MAX_TASKS, (limit) =>
        listTasks(database, { projectId, templateId, status, limit }),
      );
      return sortedTasks(tasks, call.query, clock.now());
    },

    listLastTemplateTasks: async (call) => {
      const { project_id: projectId, template_id: templateId } = call.params;
      await mustExist('template', projectId, templateId);
      const tasks = await listPage(call, LAST_TASKS, (limit) => listTasks(database, { projectId, templateId, limit }));
      return sortedTasks(tasks, call.query, clock.now());
    },
  };
};
