import { NewTemplate, type RouteShape, type Template } from '@signalbox/contract';
import type { Selectable } from 'kysely';
import type { z } from 'zod';
import type { Actor } from '../../audit/record-event.ts';
import type { Clock } from '../../clock.ts';
import type { Database, StateTransaction } from '../../database/database.ts';
import { lockRow } from '../../database/queries/lock-row.ts';
import type { TaskTable } from '../../database/task.schema.ts';
import { checkEnvironment, type EnvironmentRules } from '../../execution-environments.ts';
import type { Call, Membership } from '../../http/calls/call.ts';
import { notFound } from '../../http/errors/api-error.ts';
import { orTaken } from '../../http/errors/taken.ts';
import { merged } from '../../http/objects/change.ts';
import { changeObject, deleteObject, type ObjectKind } from '../../http/objects/project-object.ts';
import { checkTemplate, type IsAllowedAddress } from './template.policy.ts';
import {
  insertTemplate,
  presentTemplate,
  storeListedObjects,
  type TemplateInput,
  templateColumns,
} from './template.store.ts';
import { changesApproved, checkApproval } from './template-approval.ts';
import { findLabels, storeLabels } from './template-labels.ts';
import { type FindTasks, withLastTasks } from './template-list.ts';
import { checkRestriction, NEW_TEMPLATE } from './template-restriction.ts';

type Task = Selectable<TaskTable>;

export interface EditDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly findTasks: FindTasks;
  /** Returns the environment for a template that names none: one without variables, created if necessary. */
  readonly emptyEnvironment: (tx: StateTransaction, projectId: number, actor: Actor, now: Date) => Promise<number>;
  /** Deletes the tasks of a template with their logs; refuses while one of them is active. */
  readonly deleteTasksOf: (tx: StateTransaction, templateId: number) => Promise<void>;
  /** Stops the tasks of a template that wait with or for an approval, when what was approved changes. */
  readonly stopOutdated: (
    tx: StateTransaction,
    change: { readonly templateId: number; readonly actor: Actor; readonly now: Date },
  ) => Promise<readonly Task[]>;
  /** Called with the stopped tasks after the change. */
  readonly tasksChanged: (tasks: readonly Task[]) => void;
  readonly environments: EnvironmentRules;
  /** Whether administrators allow an address for the choices of surveys. */
  readonly isAllowed: IsAllowedAddress;
}

type EditCall = Pick<Call<RouteShape>, 'actor' | 'precondition'> & {
  readonly params: { readonly project_id: number };
  readonly membership: Membership;
};

/** What a change writes. */
interface Change {
  /** Returns the changed fields of a template. */
  readonly fieldsOf: (template: Template) => Readonly<Record<string, unknown>>;
  /** Whether the change confirms that a user has checked what the import lost. */
  readonly confirmsImport: boolean;
}

/** Creates, copies, changes and deletes templates, with the checks of every call that does so. */
export const templateEdits = (deps: EditDeps) => {
  const { database, clock, findTasks, emptyEnvironment, deleteTasksOf, isAllowed, stopOutdated, tasksChanged } = deps;
  const { environments } = deps;
  const kind: ObjectKind<'template'> = {
    table: 'template',
    code: 'template',
    taken: (name) => ({ code: 'conflict.template_name_taken', params: { name } }),
    name: (row) => row.name,
    present: async (db, row) => (await withLastTasks(db, findTasks, [row]))[0],
  };

  const withEnvironment = async (
    tx: StateTransaction,
    projectId: number,
    input: z.output<typeof NewTemplate>,
    actor: Actor,
  ): Promise<TemplateInput> => ({
    ...input,
    environment_id: input.environment_id ?? (await emptyEnvironment(tx, projectId, actor, clock.now())),
  });

  const insert = async (
    tx: StateTransaction,
    { params, actor, membership }: EditCall,
    wanted: z.output<typeof NewTemplate>,
  ): Promise<Template> => {
    const input = await withEnvironment(tx, params.project_id, wanted, actor);
    checkEnvironment(environments, input.execution_environment);
    await checkRestriction(tx, membership, NEW_TEMPLATE, input);
    await checkTemplate(tx, params.project_id, { input, isAllowed });
    return await insertTemplate(tx, params.project_id, input, actor, clock.now());
  };

  return {
    create: (call: EditCall, body: z.output<typeof NewTemplate>): Promise<Template> =>
      orTaken(
        database,
        () => kind.taken(body.name),
        () => database.write((tx) => insert(tx, call, body)),
      ),

    copy: (call: EditCall, id: number, suffix: string): Promise<Template> => {
      let name = '';
      return orTaken(
        database,
        () => kind.taken(name),
        () =>
          database.write(async (tx) => {
            const row = await lockRow(tx, 'template', call.params.project_id, id);
            if (!row) throw notFound();
            name = `${row.name}${suffix}`;
            const labels = await findLabels(tx, { projectId: row.project_id, templateId: id });
            return await insert(tx, call, merged(NewTemplate, presentTemplate(row, null, labels.get(id)), { name }));
          }),
      );
    },

    change: async (call: EditCall, id: number, { fieldsOf, confirmsImport }: Change): Promise<void> => {
      let stopped: readonly Task[] = [];
      await changeObject({ database, clock }, kind, call, id, async (tx, row) => {
        const labels = await findLabels(tx, { projectId: row.project_id, templateId: row.id });
        const stored = presentTemplate(row, null, labels.get(row.id));
        const wanted = merged(NewTemplate, stored, fieldsOf(stored));
        const input = await withEnvironment(tx, row.project_id, wanted, call.actor);
        await checkRestriction(tx, call.membership, stored, input);
        checkApproval(call.membership, stored, input);
        checkEnvironment(environments, input.execution_environment, stored.execution_environment);
        await checkTemplate(tx, row.project_id, { input, isAllowed }, row.id);
        if (changesApproved(stored, input))
          stopped = await stopOutdated(tx, { templateId: id, actor: call.actor, now: clock.now() });
        await storeListedObjects(tx, row.id, input);
        await storeLabels(tx, row.id, input.labels);
        return { ...templateColumns(input), ...(confirmsImport && { lost_at_import: '' }) };
      });
      tasksChanged(stopped);
    },

    remove: (call: EditCall, id: number): Promise<void> =>
      deleteObject({ database, clock }, kind, call, id, (tx, row) => deleteTasksOf(tx, row.id)),
  };
};

export type TemplateEdits = ReturnType<typeof templateEdits>;
