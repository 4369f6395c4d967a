import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { MAX_RUNNER_FRAME, type QueryAnswer, type RunnerQuery, type ServerMessage } from '@signalbox/contract/link';
import { PreparationError } from '../errors/preparation-error.ts';
import { QueryError, queryReason } from '../errors/query-error.ts';
import { shownUrl } from '../git/repository-address.ts';
import { secretsOfAccess, secretsOfSource, secretsOfUrl } from '../git/source-secrets.ts';
import { Masker } from '../output/masker.ts';
import { killMarked, killProcessesNaming } from '../process/process-table.ts';
import { Workspace } from '../workspace/workspace.ts';
import { answerQuery, type QueryContext } from './answer-query.ts';
import { privateFolderOf } from './run-hosts.ts';

type Leased = Pick<Extract<ServerMessage, { type: 'query' }>, 'query_id' | 'lease_ms' | 'query'>;

/** Maximum bytes of an answer: it is sent in one frame together with a few other fields. */
const MAX_ANSWER_BYTES = MAX_RUNNER_FRAME - 1024;
const TOO_LONG = 'There are too many names to list.';

const FAILED = 'The runner could not answer the query.';

const secretsOf = (query: RunnerQuery, apps: QueryContext['apps']): string[] => {
  if (query.ask === 'run_hosts') return apps.secretsOf(query.job);
  if (query.ask !== 'access') return query.repository === null ? [] : secretsOfSource(query.repository);
  const ofUrl = query.repository === null ? [] : secretsOfUrl(query.repository.url);
  return [...secretsOfAccess(query.access), ...ofUrl].filter((secret) => secret !== '');
};

const urlOf = (query: RunnerQuery): string =>
  (query.ask === 'run_hosts' ? query.job.repository.url : query.repository?.url) ?? '';

/** Waits for `work`, or rejects when the signal is aborted. */
const untilAborted = async <T>(work: Promise<T>, signal: AbortSignal): Promise<T> => {
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
};

/**
 * Answers queries of the server about repositories, inventories and keys. Each query has its own lease. Its secrets and processes
 * are removed before the answer is sent, and at once when the lease ends without an answer.
 */
export class QueryService {
  readonly #context: QueryContext;
  readonly #marker: string;
  readonly #log: (text: string) => void;
  /** The markers of the open queries. */
  readonly #markers = new Set<string>();
  readonly #leases = new Map<number, AbortController>();
  readonly #open = new Set<Promise<unknown>>();

  /** @param marker the prefix of the markers of all queries' processes */
  constructor(context: QueryContext, marker: string, log: (text: string) => void) {
    this.#context = context;
    this.#marker = marker;
    this.#log = log;
  }

  /** Whether processes and containers with this marker belong to an open query. */
  holds(marker: string): boolean {
    return this.#markers.has(marker);
  }

  /** Answers a query, also if it fails. @returns undefined if the lease ended before */
  answer(leased: Leased): Promise<QueryAnswer | undefined> {
    const answering = this.#answer(leased).finally(() => this.#open.delete(answering));
    this.#open.add(answering);
    return answering;
  }

  async #answer({ query_id, lease_ms, query }: Leased): Promise<QueryAnswer | undefined> {
    const lease = new AbortController();
    this.#leases.set(query_id, lease);
    const timer = setTimeout(() => lease.abort(), lease_ms);
    const id = randomUUID();
    const workspace = new Workspace(this.#context.context.workspaces, `query-${id}`);
    const marker = `${this.#marker}-${id}`;
    this.#markers.add(marker);
    const hasContainers = query.ask === 'run_hosts' && query.job.execution_environment.kind === 'container';
    const clean = async () => {
      await killMarked(marker, 1_000);
      if (hasContainers) await this.#context.environments.containers.removeOf(marker).catch(() => undefined);
      await killProcessesNaming(`${workspace.path}/`);
      await workspace.remove(workspace.path).catch(() => undefined);
      await rm(privateFolderOf(workspace), { recursive: true, force: true }).catch((error) =>
        this.#log(`The private folder of a query cannot be removed: ${String(error)}`),
      );
    };
    const work = this.#find(query, workspace, marker, lease.signal);
    try {
      return await untilAborted(work, lease.signal);
    } catch (error) {
      if (lease.signal.aborted) return undefined;
      const message = error instanceof PreparationError ? error.message : FAILED;
      const masker = new Masker(secretsOf(query, this.#context.apps));
      const mask = (text: string) => masker.mask(text);
      const reason = queryReason(error, shownUrl(urlOf(query)), mask);
      return { ask: 'refused', error: mask(message), ...(reason ? { reason } : {}) };
    } finally {
      await clean();
      clearTimeout(timer);
      this.#leases.delete(query_id);
      this.#markers.delete(marker);
      // Work that cannot be interrupted may have written files after the first cleaning.
      if (lease.signal.aborted) void work.catch(() => undefined).finally(clean);
    }
  }

  /** Ends the lease of a query. */
  end(queryId: number): void {
    this.#leases.get(queryId)?.abort();
  }

  /** Ends all leases. Resolves when nothing of the queries is left. */
  async endAll(): Promise<void> {
    for (const lease of this.#leases.values()) lease.abort();
    await Promise.allSettled(this.#open);
  }

  async #find(query: RunnerQuery, workspace: Workspace, marker: string, signal: AbortSignal): Promise<QueryAnswer> {
    const { owned } = await workspace.create();
    const answer = await answerQuery(query, this.#context, owned, { marker, signal });
    if (Buffer.byteLength(JSON.stringify(answer)) > MAX_ANSWER_BYTES)
      throw new QueryError(TOO_LONG, { code: 'query.too_many_names', params: {} });
    return answer;
  }
}
