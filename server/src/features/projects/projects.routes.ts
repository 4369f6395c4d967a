import { type Actor, recordEvent } from '../../audit/record-event.ts';
import type { Clock } from '../../clock.ts';
import type { Database, StateTransaction } from '../../database/database.ts';
import { notFound } from '../../http/api-error.ts';
import type { Handlers } from '../../http/call.ts';
import { insertProject, presentProject } from './project.store.ts';

interface Needs {
  readonly database: Database;
  readonly clock: Clock;
  /** Fills a new project with the demo, in the transaction that makes the project. */
  readonly fillWithDemo: (tx: StateTransaction, projectId: number, actor: Actor) => Promise<void>;
  /** Called once a project is stored: its owner may hear of it from now on. */
  readonly created: () => void;
}

export const projectsRoutes = ({
  database,
  clock,
  fillWithDemo,
  created,
}: Needs): Pick<Handlers, 'listProjects' | 'createProject' | 'getProject' | 'getRole'> => ({
  listProjects: async ({ caller }) => {
    let query = database.read.selectFrom('project').selectAll('project').orderBy('project.name').orderBy('project.id');
    if (!caller.admin) {
      query = query
        .innerJoin('project_user', 'project_user.project_id', 'project.id')
        .where('project_user.user_id', '=', caller.id);
    }
    return (await query.execute()).map(presentProject);
  },

  createProject: async ({ body, caller, actor }) => {
    const project = await database.write(async (tx) => {
      const now = clock.now();
      const row = await insertProject(tx, body, caller.id, now);
      await recordEvent(tx, {
        actor,
        projectId: row.id,
        objectType: 'project',
        objectId: row.id,
        objectName: row.name,
        description: `Project ${row.name} created`,
        at: now,
      });
      if (body.demo) await fillWithDemo(tx, row.id, actor);
      return presentProject(row);
    });
    created();
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

  getRole: ({ membership: { role, permissions } }) => Promise.resolve({ role, permissions }),
});
