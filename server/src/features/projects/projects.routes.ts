import { NewProject, rightsOf } from '@signalbox/contract';
import { changeParams } from '../../audit/changed-fields.ts';
import { recordInstallationEvent } from '../../audit/installation-event.ts';
import { type Actor, recordEvent } from '../../audit/record-event.ts';
import type { Clock } from '../../clock.ts';
import { type Database, LOCK, type StateTransaction } from '../../database/database.ts';
import { checkEnvironment, checkRegistryKey, type EnvironmentRules } from '../../execution-environments.ts';
import type { Handlers } from '../../http/calls/call.ts';
import { isAdminOfProjects, reaches } from '../../http/calls/token-grant.ts';
import { ApiError, notFound } from '../../http/errors/api-error.ts';
import { merged } from '../../http/objects/change.ts';
import { sorted } from '../../http/objects/sorted.ts';
import {
  checkRunnerTags,
  deleteFacts,
  deleteProject,
  insertProject,
  lockProject,
  presentProject,
  projectColumns,
} from './project.store.ts';

interface Deps {
  readonly database: Database;
  readonly clock: Clock;
  /** Fills a new project with demo content, in the transaction that creates the project. */
  readonly fillWithDemo: (tx: StateTransaction, projectId: number, actor: Actor) => Promise<void>;
  /** Called when the rights of users have changed. */
  readonly rightsChanged: () => void;
  readonly environments: EnvironmentRules;
  /** Called when limits have changed, so a waiting task may start. */
  readonly limitsChanged: () => void;
}

type ProjectRoutes = 'listProjects' | 'createProject' | 'getProject' | 'updateProject' | 'deleteProject' | 'getRole';

/** Runs `work`, which deletes a project, and reports a conflict when an object is added at the same time. */
const orGrown = async (database: Database, work: () => Promise<void>): Promise<void> => {
  try {
    await work();
  } catch (error) {
    throw database.capabilities.isDangling(error) ? new ApiError('conflict.project_not_empty') : error;
  }
};

export const projectsRoutes = ({
  database,
  clock,
  fillWithDemo,
  rightsChanged,
  limitsChanged,
  environments,
}: Deps): Pick<Handlers, ProjectRoutes> => ({
  listProjects: async ({ caller, query: sorting }) => {
    let query = database.read.selectFrom('project').selectAll('project');
    if (!isAdminOfProjects(caller)) {
      query = query
        .innerJoin('project_user', 'project_user.project_id', 'project.id')
        .where('project_user.user_id', '=', caller.id);
    }
    const projects = (await query.execute()).filter(({ id }) => reaches(caller.token, id));
    return sorted(projects.map(presentProject), sorting, 'name');
  },

  createProject: async ({ body, caller, actor }) => {
    checkRunnerTags([], body, caller);
    checkEnvironment(environments, body.execution_environment);
    // With the lock for changes of users: otherwise the owner might be deleted at the same time, leaving the project
    // without an owner.
    const project = await database.write(async (tx) => {
      const now = clock.now();
      const row = await insertProject(tx, body, caller.id, now);
      await checkRegistryKey(tx, row.id, body.execution_environment);
      await recordEvent(tx, {
        actor,
        projectId: row.id,
        objectType: 'project',
        objectId: row.id,
        objectName: row.name,
        kind: 'project.created',
        params: { name: row.name },
        at: now,
      });
      if (body.demo) await fillWithDemo(tx, row.id, actor);
      return presentProject(row);
    }, LOCK.users);
    rightsChanged();
    return project;
  },

  getProject: async ({ params }) => {
    const row = await database.read
      .selectFrom('project')
      .selectAll()
      .where('id', '=', params.project_id)
      .executeTakeFirst();
    if (!row) throw notFound();
    return presentProject(row);
  },

  updateProject: async ({ params, body, caller, actor, precondition }) => {
    await database.write(async (tx) => {
      const row = await lockProject(tx, params.project_id);
      await precondition.check(() => presentProject(row));
      const input = merged(NewProject.omit({ demo: true }), presentProject(row), body);
      checkRunnerTags(presentProject(row).runner_tags, input, caller);
      checkEnvironment(environments, input.execution_environment, presentProject(row).execution_environment);
      if (body.execution_environment !== undefined) await checkRegistryKey(tx, row.id, input.execution_environment);
      const columns = projectColumns(input);
      await tx.updateTable('project').set(columns).where('id', '=', row.id).execute();
      if (!input.collect_facts) await deleteFacts(tx, row.id);
      await recordEvent(tx, {
        actor,
        projectId: row.id,
        objectType: 'project',
        objectId: row.id,
        objectName: input.name,
        kind: 'project.changed',
        params: { name: input.name, ...changeParams(row, columns, { name: input.name, oldName: row.name }) },
        at: clock.now(),
      });
    });
    limitsChanged();
  },

  deleteProject: async ({ params, actor, precondition }) => {
    await orGrown(database, () =>
      database.write(async (tx) => {
        const row = await lockProject(tx, params.project_id);
        await precondition.check(() => presentProject(row));
        await deleteProject(tx, row.id);
        const event = { kind: 'project.deleted', params: { name: row.name } } as const;
        await recordInstallationEvent(tx, 'project', row, event, actor, clock.now());
      }),
    );
    rightsChanged();
  },

  getRole: ({ membership: { role, roleId, permissions, access } }) =>
    Promise.resolve({
      role,
      role_id: roleId,
      permissions,
      rights: rightsOf(permissions),
      templates: (access?.templates ?? []).map(({ limits, ...one }) => ({
        ...one,
        limits: limits.map(({ inventory_id, limit_hosts, answers }) => ({ inventory_id, limit: limit_hosts, answers })),
      })),
    }),
});
