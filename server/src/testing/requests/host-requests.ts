import type { MakeRequest } from './request.ts';

const NEVER = { last_change: null, last_change_task: null, last_failure: null, last_failure_task: null };

const host: MakeRequest = async ({ server, sample }, name) => {
  const row = { project_id: sample.projectId, host: name, runs: '[]' };
  const { id } = await server.storage.database.autocommit
    .insertInto('host')
    .values({ ...row, last_success: null, last_success_task: null, ...NEVER })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { params: { host_id: id } };
};

/** Valid requests for the calls of hosts. */
export const HOST_REQUESTS = {
  listHosts: () => ({}),
  listHostChoices: () => ({}),
  getHost: host,
  listHostRuns: host,
  listHostFailures: host,
  listHostChanges: host,
  listHostFacts: host,
} satisfies Record<string, MakeRequest>;
