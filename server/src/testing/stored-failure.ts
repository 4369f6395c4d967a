import type { Database } from '../database/database.ts';
import type { RunCluster } from '../failures/cluster.ts';
import { type EndedTask, storeClusters } from '../features/failures/failure.store.ts';

/** Stores that a step failed on one host in an ended task. Equal titles are one failure. */
export const storeFailure = async (database: Database, task: EndedTask, title: string, host: string): Promise<void> => {
  const member = { host, at: 0, line: 1 };
  const cluster: RunCluster = {
    ...{ fingerprint: title.padEnd(32, '0'), result: 'failed', cause: null, title, action: 'apt', step: 'Upgrade' },
    ...{ step_number: 1, path: '', hosts: 1, first_hosts: [host], messages: [], groups: [] },
    ...{ first: member, last: member },
  };
  await database.write((tx) => storeClusters(tx, task, [{ cluster, hostLines: '' }]));
};

/** Stores which tasks ran on a host. */
export const storeHostRuns = async (
  { autocommit }: Database,
  projectId: number,
  host: string,
  tasks: readonly number[],
): Promise<void> => {
  const none = { last_success: null, last_success_task: null, last_change: null, last_change_task: null };
  const runs = JSON.stringify(tasks.map((task_id) => ({ task_id })));
  await autocommit
    .insertInto('host')
    .values({ project_id: projectId, host, runs, ...none, last_failure: null, last_failure_task: null })
    .execute();
};
