import { type Failure, MAX_OVERVIEW, type Overview } from '@signalbox/contract';
import type { Clock } from '../../clock.ts';
import type { Database, StateReader } from '../../database/database.ts';
import type { Handlers } from '../../http/calls/call.ts';
import { findBroken } from './broken-templates.ts';
import { type RunnersOfProject, readRunners } from './project-runners.ts';
import { findSlower } from './slower-templates.ts';
import { readTrends } from './trends.ts';

interface Deps {
  readonly database: Database;
  readonly clock: Clock;
  /** The failures that are neither fixed nor known, those on the most hosts first. */
  readonly findOpenFailures: (
    db: StateReader,
    scope: { readonly projectId: number; readonly hidden: ReadonlySet<number>; readonly now: Date },
    limit: number,
  ) => Promise<{ total: number; failures: Failure[] }>;
  /** The runners that are connected to any server. */
  readonly connected: () => readonly { readonly id: number }[];
  readonly runnersOfProject: RunnersOfProject;
}

/** Maximum number of tasks that are counted since a visit. */
const MAX_COUNTED = 1000;

const countSince = async (
  db: StateReader,
  projectId: number,
  hidden: ReadonlySet<number>,
  since: string | undefined,
): Promise<Overview['visit']> => {
  if (since === undefined) return null;
  const rows = await db
    .selectFrom('task')
    .select('status')
    .where('project_id', '=', projectId)
    .where('created', '>', since)
    .$if(hidden.size > 0, (query) => query.where('template_id', 'not in', [...hidden]))
    .orderBy('created', 'desc')
    .limit(MAX_COUNTED)
    .execute();
  return { tasks: rows.length, failed: rows.filter(({ status }) => status === 'error').length };
};

export const overviewRoutes = ({
  database,
  clock,
  findOpenFailures,
  connected,
  runnersOfProject,
}: Deps): Pick<Handlers, 'getOverview' | 'getTrends'> => ({
  getOverview: async ({ params: { project_id: projectId }, query, hidden }) => {
    const { read } = database;
    const open = await findOpenFailures(read, { projectId, hidden, now: clock.now() }, MAX_OVERVIEW);
    return {
      failures: open.failures,
      failures_total: open.total,
      broken: await findBroken(database, projectId, hidden),
      slower: await findSlower(read, projectId, hidden, clock.now()),
      ...(await readRunners(read, await runnersOfProject(read, projectId), connected())),
      visit: await countSince(read, projectId, hidden, query.since),
    };
  },

  getTrends: ({ params, hidden }) =>
    readTrends(database.readApart, { projectId: params.project_id, hidden, now: clock.now() }),
});
