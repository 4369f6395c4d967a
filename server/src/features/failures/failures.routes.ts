import type { Failure, RouteTable } from '@signalbox/contract';
import type { Clock } from '../../clock.ts';
import type { Database, StateReader, StateTransaction } from '../../database/database.ts';
import { type Call, type Handlers, hiddenFrom } from '../../http/calls/call.ts';
import { notFound } from '../../http/errors/api-error.ts';
import type { LogStore } from '../../logs/log-store.ts';
import { type FailureQuery, findFailures } from './failure.read-model.ts';
import { assignFailure, unassignFailure } from './failure-assignment.ts';
import { changeRemark, type FailureAuthor } from './failure-remark.ts';
import { openHosts } from './open-hosts.ts';
import { clustersOfTask, hostsOfCluster, type TaskOfClusters } from './task-clusters.ts';

interface Deps {
  readonly database: Database;
  readonly clock: Clock;
  readonly logs: Pick<LogStore, 'resultClusters' | 'clusterHosts'>;
}

type FailureRoutes =
  | 'listFailureClusters'
  | 'listFailureHosts'
  | 'listFailures'
  | 'getFailure'
  | 'listOpenHosts'
  | 'updateFailure'
  | 'assignFailure'
  | 'unassignFailure';

type OfFailure = Pick<Call<RouteTable['getFailure']>, 'params' | 'membership' | 'caller' | 'actor'>;

type Write = (tx: StateTransaction, failure: Failure, author: FailureAuthor) => Promise<void>;

const DEFAULT_CLUSTERS = 20;
const DEFAULT_HOSTS = 100;
const DEFAULT_FAILURES = 50;

export const failuresRoutes = ({ database, clock, logs }: Deps): Pick<Handlers, FailureRoutes> => {
  const taskOf = async (projectId: number, taskId: number): Promise<TaskOfClusters> => {
    const row = await database.read
      .selectFrom('task')
      .select('commit_hash')
      .where('id', '=', taskId)
      .where('project_id', '=', projectId)
      .executeTakeFirst();
    if (!row) throw notFound();
    return { id: taskId, projectId, commit: row.commit_hash };
  };

  const matching = (search: string | undefined): FailureQuery['search'] =>
    search === undefined ? undefined : (column) => database.capabilities.matches(column, search, 'part');

  /** @throws not_found if the caller sees no task with the failure */
  const seenFailure = async (
    { params, membership }: Pick<OfFailure, 'params' | 'membership'>,
    templateId?: number,
  ): Promise<Failure> => {
    const filter = { projectId: params.project_id, hidden: hiddenFrom(membership), now: clock.now() };
    const query = { ...filter, templateId, ids: [params.failure_id] };
    const { failures } = await findFailures(database.read, query, { first: 1, limit: 1 });
    if (!failures[0]) throw notFound();
    return failures[0];
  };

  /** Changes a failure that the caller sees. */
  const change = async ({ params, membership, caller, actor }: OfFailure, write: Write): Promise<void> => {
    const now = clock.now();
    const filter = { projectId: params.project_id, hidden: hiddenFrom(membership), now, ids: [params.failure_id] };
    await database.write(async (tx) => {
      const { failures } = await findFailures(tx, filter, { first: 1, limit: 1 });
      if (!failures[0]) throw notFound();
      const isSeen = async (db: StateReader, hidden: ReadonlySet<number>) =>
        (await findFailures(db, { ...filter, hidden }, { first: 1, limit: 1 })).failures.length > 0;
      await write(tx, failures[0], { userId: caller.id, actor, now, isSeen });
    });
  };

  return {
    listFailureClusters: async ({ params, query, membership }) => {
      const task = await taskOf(params.project_id, params.task_id);
      const page = { first: query.from ?? 1, limit: query.limit ?? DEFAULT_CLUSTERS };
      const view = { hidden: hiddenFrom(membership), now: clock.now() };
      return await clustersOfTask({ database, logs }, task, page, view);
    },

    listFailureHosts: async ({ params, query }) => {
      const task = await taskOf(params.project_id, params.task_id);
      const page = { first: query.from ?? 1, limit: query.limit ?? DEFAULT_HOSTS, name: query.name };
      const hosts = await hostsOfCluster({ database, logs }, task, params.fingerprint, page);
      if (!hosts) throw notFound();
      return hosts;
    },

    listFailures: async ({ params, query, membership }) => {
      const first = query.from ?? 1;
      const filter = {
        projectId: params.project_id,
        hidden: hiddenFrom(membership),
        now: clock.now(),
        templateId: query.template_id,
        trend: query.trend,
        cause: query.cause,
        open: query.open === undefined ? undefined : query.open === 'true',
        known: query.known === undefined ? undefined : query.known === 'true',
        search: matching(query.search),
      };
      return {
        first,
        ...(await findFailures(database.readApart, filter, { first, limit: query.limit ?? DEFAULT_FAILURES })),
      };
    },

    getFailure: (call) => seenFailure(call),

    listOpenHosts: async ({ params, membership, query }) => {
      const first = query.from ?? 1;
      const hosts = await openHosts(database.read, await seenFailure({ params, membership }, query.template_id));
      return { first, total: hosts.length, hosts: hosts.slice(first - 1, first - 1 + (query.limit ?? DEFAULT_HOSTS)) };
    },

    updateFailure: (call) =>
      change(call, async (tx, failure, author) => {
        await call.precondition.check(() => failure);
        await changeRemark(tx, failure, call.body, author);
      }),

    assignFailure: (call) => change(call, (tx, failure, author) => assignFailure(tx, failure, call.body, author)),

    unassignFailure: (call) => change(call, unassignFailure),
  };
};
