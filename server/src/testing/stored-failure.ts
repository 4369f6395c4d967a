import type { Database } from '../database/database.ts';
import type { RunCluster } from '../failures/cluster.ts';
import { type EndedTask, storeClusters } from '../features/failures/failure.store.ts';
import { storeFixes } from '../features/failures/failure-fix.store.ts';
import { encodeHostLines } from '../features/failures/host-lines.ts';

/** Stores that a step failed on one host in an ended task. Equal titles are one failure. */
export const storeFailure = async (database: Database, task: EndedTask, title: string, host: string): Promise<void> => {
  const member = { host, at: 0, line: 1 };
  const cluster: RunCluster = {
    ...{ fingerprint: title.padEnd(32, '0'), result: 'failed', cause: null, title, action: 'apt', step: 'Upgrade' },
    ...{ step_number: 1, path: '', hosts: 1, first_hosts: [host], messages: [], groups: [] },
    ...{ first: member, last: member },
  };
  await database.write((tx) => storeClusters(tx, task, [{ cluster, hostLines: encodeHostLines([[host, 1]]) }]));
};

/** Stores which failures an ended task has fixed, which passed the step *Upgrade* on one host. */
export const storeReached = (database: Database, taskId: number, host: string): Promise<boolean> => {
  const stats = { ok: 1, changed: 0, failures: 0, ignored: 0, skipped: 0, rescued: 0, unreachable: 0 };
  const counts = { ...stats, failed: 0 };
  const step = { step: 1, play: 1, name: 'Upgrade', action: 'apt', handler: false, line: 1, at: 0, end: 0, counts };
  return storeFixes(
    {
      database,
      runSteps: async () => ({ steps: [step] }),
      runHosts: async () => ({ hosts: [{ number: 1, host, ...stats, ms: 0, cells: 'o' }] }),
    },
    taskId,
  );
};
