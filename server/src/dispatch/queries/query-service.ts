import type { QueryAnswer, RunnerQuery } from '@signalbox/contract/link';
import type { Clock } from '../../clock.ts';
import type { Database } from '../../database/database.ts';
import { runnersOfProject } from '../claim/runner-rules.ts';
import type { ConnectedRunner } from '../session/runner-hub.ts';
import type { NoAnswer } from './open-queries.ts';
import { endQuery, leaseHolds, leaseQuery, type QueryRequest } from './query-lease.ts';
import type { RelayedQueries } from './relayed-queries.ts';

export interface QueryServiceDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly runners: () => readonly ConnectedRunner[];
  /** Reaches runners that are linked to other servers. Undefined for a database that only one server uses. */
  readonly relayed: RelayedQueries | undefined;
}

/** A runner that may get a query, and how it is sent there. */
interface Holder extends Pick<ConnectedRunner, 'id' | 'tokenHash'> {
  readonly send: (
    leaseId: number,
    query: RunnerQuery,
    signal?: AbortSignal,
  ) => Promise<QueryAnswer | NoAnswer | 'not_sent' | 'moved'>;
}

type Asked = QueryAnswer | 'not_permitted' | 'timed_out' | undefined;

/** Number of runners of other servers that are tried: each may be one whose server was killed. */
const OTHERS = 3;

/** Time that a runner has for an answer, in milliseconds. Some queries may have to fetch the repository first. */
export const LEASE_MS: Readonly<Record<RunnerQuery['ask'], number>> = {
  branches: 30_000,
  newest_commit: 30_000,
  hosts: 30_000,
  files: 60_000,
  scan: 60_000,
  commit_changes: 60_000,
  repository_diff: 60_000,
  access: 30_000,
  // The repository may have to be cloned, and requirements to be installed.
  run_hosts: 600_000,
};

/** Sends queries to runners. Each query has a lease, which is stored first and belongs to one runner. */
export class QueryService {
  readonly #deps: QueryServiceDeps;
  readonly #open = new Set<Promise<unknown>>();

  constructor(deps: QueryServiceDeps) {
    this.#deps = deps;
  }

  /**
   * Queries a runner with few open queries, of this server if there is one.
   * @returns undefined when no runner is connected, the runner is lost or the query was cancelled, `timed_out` when the lease
   * ended first, `not_permitted` when no connected runner takes queries of the project
   * @param open builds the query with its secrets; called only after its lease is stored
   */
  ask(request: QueryRequest, open: () => Promise<RunnerQuery>): Promise<Asked> {
    const asking = this.#ask(request, open).finally(() => this.#open.delete(asking));
    this.#open.add(asking);
    return asking;
  }

  /** Resolves when every lease has ended. The links must be closed before. */
  async idle(): Promise<void> {
    await Promise.allSettled(this.#open);
  }

  /** @param isAgain whether the server of the first runner was killed while it waited for the answer */
  async #ask(request: QueryRequest, open: () => Promise<RunnerQuery>, isAgain = false): Promise<Asked> {
    const leaseMs = LEASE_MS[request.ask];
    const permitted = await runnersOfProject(this.#deps.database.read, request.projectId);
    const mayAnswer = ({ id }: Holder): boolean => permitted.has(id) && (request.runners?.has(id) ?? true);
    const own = this.#ownRunners(leaseMs);
    const others = own.some(mayAnswer) ? [] : await this.#otherRunners(leaseMs);
    const holders = own.some(mayAnswer) ? own.filter(mayAnswer) : others.filter(mayAnswer).slice(0, OTHERS);
    if (holders.length === 0 && own.length + others.length > 0) return 'not_permitted';
    for (const holder of holders) {
      const input = { runnerId: holder.id, tokenHash: holder.tokenHash, leaseMs, now: this.#deps.clock.now() };
      const leaseId = await leaseQuery(this.#deps.database, request, input);
      const answer = leaseId === undefined ? 'not_sent' : await this.#askUnder(leaseId, holder, open, request.signal);
      if (answer === 'moved') return isAgain ? undefined : await this.#ask(request, open, true);
      if (answer !== 'not_sent') return answer;
    }
    return undefined;
  }

  #ownRunners(leaseMs: number): Holder[] {
    return this.#deps
      .runners()
      .filter(({ draining }) => !draining)
      .toSorted((a, b) => a.session.queries.count - b.session.queries.count)
      .map(({ id, tokenHash, session }) => ({
        id,
        tokenHash,
        send: (leaseId, query, signal) => session.queries.ask(leaseId, leaseMs, query, signal),
      }));
  }

  async #otherRunners(leaseMs: number): Promise<Holder[]> {
    const { database, relayed, runners } = this.#deps;
    if (!relayed) return [];
    const own = new Set(runners().map(({ id }) => id));
    const rows = await database.read
      .selectFrom('runner')
      .select(['id', 'token_hash', 'connection'])
      .where('connection', 'is not', null)
      .where('unreachable_since', 'is', null)
      .orderBy('heartbeats', 'desc')
      .execute();
    const others = rows.filter(({ id }) => !own.has(id));
    return others.map(({ id, token_hash, connection }) => ({
      id,
      tokenHash: token_hash,
      send: (leaseId, query, signal) => relayed.ask({ id: leaseId, runnerId: id, leaseMs, connection }, query, signal),
    }));
  }

  /** @returns `not_sent` or `moved` when another runner may be asked */
  async #askUnder(
    leaseId: number,
    { id: runnerId, tokenHash, send }: Holder,
    open: () => Promise<RunnerQuery>,
    signal: AbortSignal | undefined,
  ): Promise<QueryAnswer | 'not_sent' | 'moved' | 'timed_out' | undefined> {
    const { database, clock } = this.#deps;
    const holder = { runnerId, tokenHash };
    let query: RunnerQuery;
    try {
      query = await open();
    } catch (error) {
      await endQuery(database, leaseId, holder, 'not_sent', clock.now());
      throw error;
    }
    // Decrypting takes time, and the runner may have been deleted meanwhile.
    if (!(await leaseHolds(database, leaseId, holder))) {
      await endQuery(database, leaseId, holder, 'not_sent', clock.now());
      return 'not_sent';
    }
    const answer = await send(leaseId, query, signal).catch(async (error: unknown) => {
      await endQuery(database, leaseId, holder, 'not_sent', clock.now());
      throw error;
    });
    if (typeof answer === 'string') {
      await endQuery(database, leaseId, holder, answer === 'moved' ? 'runner_left' : answer, clock.now());
      return answer === 'runner_left' || answer === 'cancelled' ? undefined : answer;
    }
    const outcome = answer.ask === 'refused' ? 'refused' : 'answered';
    return (await endQuery(database, leaseId, holder, outcome, clock.now())) ? answer : undefined;
  }
}
