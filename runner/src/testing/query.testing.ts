import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { QueryAnswer, RunnerQuery } from '@signalbox/contract/link';
import type { RunnerHarness } from './runner-harness.testing.ts';

let lastQueryId = 0;

/** Sends a query to a runner under a new lease. @returns the id of the query */
export const sendQuery = (harness: RunnerHarness, query: RunnerQuery, lease_ms = 30_000): number => {
  lastQueryId += 1;
  harness.server.send({ type: 'query', query_id: lastQueryId, lease_ms, query });
  return lastQueryId;
};

/** Whether the runner has answered. */
export const isAnswered = (harness: RunnerHarness, id: number): boolean =>
  harness.server.messages.some((message) => message.type === 'answer' && message.query_id === id);

/** Sends a query to a runner and waits for its answer. */
export const askRunner = async (harness: RunnerHarness, query: RunnerQuery): Promise<QueryAnswer> => {
  const id = sendQuery(harness, query);
  await harness.server.until(() => isAnswered(harness, id), `the answer to ${query.ask}`);
  const found = harness.server.messages.find((message) => message.type === 'answer' && message.query_id === id);
  if (found?.type !== 'answer') throw new Error('There is no answer.');
  return found.answer;
};

/** Names of the workspaces of queries on the disk of the runner. */
export const queryWorkspacesOf = (harness: RunnerHarness): string[] => {
  try {
    return readdirSync(join(harness.data, 'places'));
  } catch {
    return [];
  }
};
