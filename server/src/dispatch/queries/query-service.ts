import type { QueryAnswer, RunnerQuery } from '@signalbox/contract/link';
import type { Clock } from '../../clock.ts';
import type { Database } from '../../database/database.ts';
import type { ConnectedRunner } from '../session/runner-hub.ts';
import { endQuery, leaseHolds, leaseQuery, type QueryRequest } from './query-lease.ts';

export interface QueryServiceDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly runners: () => readonly ConnectedRunner[];
}

/** Time that a runner has for an answer, in milliseconds. Listing files may have to fetch the repository first. */
export const LEASE_MS: Readonly<Record<RunnerQuery['ask'], number>> = {
  branches: 30_000,
  newest_commit: 30_000,
  hosts: 30_000,
  files: 60_000,
  access: 30_000,
};

/** Sends queries to runners. Each query has a lease, which is stored first and belongs to one runner. */
export class QueryService {
  readonly #deps: QueryServiceDeps;
  readonly #open = new Set<Promise<unknown>>();

  constructor(deps: QueryServiceDeps) {
    this.#deps = deps;
  }

  /**
   * Queries the runner that would get the next task. Undefined when no runner is connected or the runner does not
   * answer.
   * @param open builds the query with its secrets; called only after its lease is stored
   */
  ask(request: QueryRequest, open: () => Promise<RunnerQuery>): Promise<QueryAnswer | undefined> {
    const asking = this.#ask(request, open).finally(() => this.#open.delete(asking));
    this.#open.add(asking);
    return asking;
  }

  /** Resolves when every lease has ended. The links must be closed before. */
  async idle(): Promise<void> {
    await Promise.allSettled(this.#open);
  }

  async #ask(request: QueryRequest, open: () => Promise<RunnerQuery>): Promise<QueryAnswer | undefined> {
    const willing = this.#deps.runners().filter(({ draining }) => !draining);
    for (const runner of willing.toSorted((a, b) => a.session.queries.count - b.session.queries.count)) {
      const leaseMs = LEASE_MS[request.ask];
      const { id: runnerId, tokenHash } = runner;
      const input = { runnerId, tokenHash, leaseMs, now: this.#deps.clock.now() };
      const leaseId = await leaseQuery(this.#deps.database, request, input);
      if (leaseId !== undefined) return await this.#askUnder(leaseId, runner, leaseMs, open);
    }
    return undefined;
  }

  async #askUnder(
    leaseId: number,
    runner: ConnectedRunner,
    leaseMs: number,
    open: () => Promise<RunnerQuery>,
  ): Promise<QueryAnswer | undefined> {
    const { database, clock } = this.#deps;
    const holder = { runnerId: runner.id, tokenHash: runner.tokenHash };
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
      return undefined;
    }
    const answer = await runner.session.queries.ask(leaseId, leaseMs, query);
    if (typeof answer === 'string') {
      await endQuery(database, leaseId, holder, answer, clock.now());
      return undefined;
    }
    const outcome = answer.ask === 'refused' ? 'refused' : 'answered';
    return (await endQuery(database, leaseId, holder, outcome, clock.now())) ? answer : undefined;
  }
}
