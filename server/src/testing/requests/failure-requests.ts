import type { RunCluster } from '../../failures/cluster.ts';
import { storeClusters } from '../../features/failures/failure.store.ts';
import { encodeHostLines } from '../../features/failures/host-lines.ts';
import { newTask, type RequestDeps } from './request.ts';

const FINGERPRINT = '0123456789abcdef0123456789abcdef';

const cluster: RunCluster = {
  ...{ fingerprint: FINGERPRINT, result: 'failed', cause: null, title: 'broken', action: 'apt', step: 'Upgrade' },
  ...{ step_number: 1, path: '', hosts: 1, first_hosts: ['web-01'], messages: [], groups: [] },
  first: { host: 'web-01', at: 0, line: 1 },
  last: { host: 'web-01', at: 0, line: 1 },
};

/** A task with a stored failure. */
const failedTask = async (deps: RequestDeps) => {
  const id = await newTask(deps);
  const { database } = deps.server.storage;
  const { project_id, template_id } = await database.read
    .selectFrom('task')
    .select(['project_id', 'template_id'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const task = { id, project_id, template_id, ended: '2026-11-21T10:00:00.000Z' };
  const ended = { status: 'error' as const, end_time: task.ended };
  await database.autocommit.updateTable('task').set(ended).where('id', '=', id).execute();
  await database.write((tx) => storeClusters(tx, task, [{ cluster, hostLines: encodeHostLines([['web-01', 1]]) }]));
  const { failure_id } = await database.read
    .selectFrom('task_failure')
    .select('failure_id')
    .where('task_id', '=', id)
    .executeTakeFirstOrThrow();
  return { task_id: id, failure_id };
};

const oneFailure = async (deps: RequestDeps) => ({ params: { failure_id: (await failedTask(deps)).failure_id } });

/** Valid requests for the failures of a task and of a project. */
export const FAILURE_REQUESTS = {
  listFailureClusters: async (deps: RequestDeps) => ({ params: { task_id: (await failedTask(deps)).task_id } }),
  listFailureHosts: async (deps: RequestDeps) => ({
    params: { task_id: (await failedTask(deps)).task_id, fingerprint: FINGERPRINT },
  }),
  listFailures: async (_: RequestDeps) => ({}),
  getFailure: oneFailure,
  listOpenHosts: oneFailure,
  updateFailure: async (deps: RequestDeps) => ({ ...(await oneFailure(deps)), body: { note: 'known' } }),
  assignFailure: async (deps: RequestDeps) => ({ ...(await oneFailure(deps)), body: { note: 'on it' } }),
  unassignFailure: oneFailure,
};
