import { NewTemplate, type Sorting, type Task } from '@signalbox/contract';
import type { z } from 'zod';
import type { Actor } from '../../audit/record-event.ts';
import type { Clock } from '../../clock.ts';
import type { Database, StateTransaction } from '../../database/database.ts';
import { belongsTo } from '../../database/queries/same-project.ts';
import { findReferences } from '../../database/queries/used-by.ts';
import { type Handlers, hiddenFrom, type Membership } from '../../http/calls/call.ts';
import { notFound } from '../../http/errors/api-error.ts';
import { orTaken } from '../../http/errors/taken.ts';
import { merged } from '../../http/objects/change.ts';
import { listPage } from '../../http/objects/list-page.ts';
import { changeObject, deleteObject, type ObjectKind } from '../../http/objects/project-object.ts';
import { sortedTasks } from '../../http/objects/sorted-tasks.ts';
import { checkTemplate } from './template.policy.ts';
import {
  insertTemplate,
  presentTemplate,
  storeListedObjects,
  type TemplateInput,
  templateColumns,
} from './template.store.ts';
import { findLabels, storeLabels } from './template-labels.ts';
import { type FindTasks, sortTemplates, withLastTasks } from './template-list.ts';
import { checkRestriction, UNRESTRICTED } from './template-restriction.ts';

interface TaskQuery {
  readonly projectId: number;
  readonly templateId: number;
  readonly status?: Task['status'] | undefined;
  readonly limit: number;
}

interface Deps {
  readonly database: Database;
  readonly clock: Clock;
  readonly findTasks: FindTasks;
  /** Returns the environment for a template that names none: one without variables, created if necessary. */
  readonly emptyEnvironment: (tx: StateTransaction, projectId: number, actor: Actor, now: Date) => Promise<number>;
  readonly listTasks: (database: Database, query: TaskQuery) => Promise<Task[]>;
  /** Deletes the tasks of a template with their logs; refuses while one of them is active. */
  readonly deleteTasksOf: (tx: StateTransaction, templateId: number) => Promise<void>;
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
  | 'getTemplateReferences'
  | 'listTemplateTasks'
  | 'listLastTemplateTasks';

export const templatesRoutes = (deps: Deps): Pick<Handlers, TemplateRoutes> => {
  const { database, clock, findTasks, listTasks, deleteTasksOf, emptyEnvironment } = deps;
  const withEnvironment = async (
    tx: StateTransaction,
    projectId: number,
    input: z.output<typeof NewTemplate>,
    actor: Actor,
  ): Promise<TemplateInput> => ({
    ...input,
    environment_id: input.environment_id ?? (await emptyEnvironment(tx, projectId, actor, clock.now())),
  });
  const kind: ObjectKind<'template'> = {
    table: 'template',
    code: 'template',
    taken: (name) => ({ code: 'conflict.template_name_taken', params: { name } }),
    name: (row) => row.name,
    present: async (db, row) => (await withLastTasks(db, findTasks, [row]))[0],
  };
  const templates = (projectId: number) =>
    database.read.selectFrom('template').selectAll().where('project_id', '=', projectId);

  const visible = (query: ReturnType<typeof templates>, membership: Membership): ReturnType<typeof templates> => {
    const hidden = hiddenFrom(membership);
    return hidden.size === 0 ? query : query.where('id', 'not in', [...hidden]);
  };

  const mustExist = async (table: 'template' | 'view', projectId: number, id: number): Promise<void> => {
    if (!(await belongsTo(database.read, table, id, projectId))) throw notFound();
  };

  const answer = async (query: ReturnType<typeof templates>, projectId: number, sorting: Sorting) => {
    const listed = await withLastTasks(database.read, findTasks, await query.execute());
    return await sortTemplates(database.read, projectId, listed, sorting);
  };

  return {
    listTemplates: ({ params, query, membership }) =>
      answer(visible(templates(params.project_id), membership), params.project_id, query),

    listViewTemplates: async ({ params, query, membership }) => {
      if (membership.access?.hiddenViews.has(params.view_id)) throw notFound();
      await mustExist('view', params.project_id, params.view_id);
      const ofView = visible(templates(params.project_id), membership).where('view_id', '=', params.view_id);
      return await answer(ofView, params.project_id, query);
    },

    createTemplate: ({ params, body, actor, membership }) =>
      orTaken(
        database,
        () => kind.taken(body.name),
        () =>
          database.write(async (tx) => {
            const input = await withEnvironment(tx, params.project_id, body, actor);
            await checkRestriction(tx, membership, UNRESTRICTED, input);
            await checkTemplate(tx, params.project_id, input);
            return await insertTemplate(tx, params.project_id, input, actor, clock.now());
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
        const labels = await findLabels(tx, { projectId: row.project_id, templateId: row.id });
        const wanted = merged(NewTemplate, presentTemplate(row, null, labels.get(row.id)), call.body);
        const input = await withEnvironment(tx, row.project_id, wanted, call.actor);
        await checkRestriction(tx, call.membership, { ...row, restricted: row.restricted === 1 }, input);
        await checkTemplate(tx, row.project_id, input, row.id);
        await storeListedObjects(tx, row.id, input);
        await storeLabels(tx, row.id, input.labels);
        // Saving confirms that a user has checked what the import lost.
        return { ...templateColumns(input), lost_at_import: '' };
      }),

    deleteTemplate: (call) =>
      deleteObject({ database, clock }, kind, call, call.params.template_id, (tx, row) => deleteTasksOf(tx, row.id)),

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
