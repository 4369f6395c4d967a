import type { QueryAnswer, RunnerQuery } from '@signalbox/contract/link';
import type { Clock } from '../../clock.ts';
import type { Database } from '../../database/database.ts';
import { decrypt, encrypt } from '../../secrets/cipher.ts';
import type { MasterKey } from '../../secrets/master-key.ts';
import type { ConnectedRunner } from '../session/runner-hub.ts';
import type { NoAnswer } from './open-queries.ts';
import { leaseHolds } from './query-lease.ts';

/** Time that the server with the link to the runner has to send a query, in milliseconds. */
const SEND_MS = 2_000;
/** Time between two reads of a query whose notices may be lost, in milliseconds. */
const POLL_MS = 250;
/** Time after the end of a lease in which the other server stores that there was no answer, in milliseconds. */
const MARGIN_MS = 1_000;
/** Time after the end of a lease until the query is deleted if the asking server has not done so, in milliseconds. */
const DELETE_MS = 10_000;

export interface RelayedQueriesDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly master: MasterKey;
  /** The runners that are linked to this server. */
  readonly runners: () => readonly ConnectedRunner[];
  /** Notifies the other servers. */
  readonly changed: (id: number) => void;
  readonly onError: (error: unknown) => void;
}

/** A query under a lease that holds. */
interface Leased {
  readonly id: number;
  readonly runnerId: number;
  readonly leaseMs: number;
  /** Identity of the link that the runner had when it was chosen. */
  readonly connection: string | null;
}

type Outcome = QueryAnswer | NoAnswer | 'not_sent';
/** `moved` when the runner has a new link or none, and the server with the former link did not report it. */
type Asked = Outcome | 'moved';

/**
 * Queries to runners that are linked to another server of the database. The asking server stores the query under its
 * lease, the server with the link sends it once, and stores the answer. Both are encrypted, and deleted when they were
 * read.
 */
export class RelayedQueries {
  readonly #deps: RelayedQueriesDeps;
  readonly #asking = new Map<number, () => void>();
  readonly #answering = new Set<Promise<void>>();
  /** The queries of other servers that runners of this server answer now. */
  readonly #sent = new Map<number, AbortController>();
  #isClosed = false;

  constructor(deps: RelayedQueriesDeps) {
    this.#deps = deps;
  }

  /** Called when another server has sent or answered a query. */
  changed(id: number): void {
    this.#asking.get(id)?.();
  }

  /** Stores a query, and waits for the other server. `not_sent` when no server sends it to the runner. */
  async ask(leased: Leased, query: RunnerQuery, signal?: AbortSignal): Promise<Asked> {
    const { id, runnerId, leaseMs } = leased;
    const { database, clock, master, changed } = this.#deps;
    const start = clock.monotonic();
    await database.autocommit
      .insertInto('relayed_query')
      .values({
        query_id: id,
        runner_id: runnerId,
        query: encrypt(master, `relayed_query:${id}`, JSON.stringify(query)),
        expires: new Date(clock.now().getTime() + leaseMs).toISOString(),
      })
      .execute();
    changed(id);
    const onAbort = () => this.changed(id);
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      for (;;) {
        if (signal?.aborted) return 'cancelled';
        const outcome = await this.#outcome(leased, clock.monotonic() - start);
        if (outcome !== undefined) return outcome;
        if (this.#isClosed) return 'runner_left';
        await this.#change(id);
      }
    } finally {
      signal?.removeEventListener('abort', onAbort);
      await database.autocommit.deleteFrom('relayed_query').where('query_id', '=', id).execute();
      if (signal?.aborted) changed(id);
    }
  }

  async #outcome({ id, runnerId, leaseMs, connection }: Leased, passedMs: number): Promise<Asked | undefined> {
    const { database, master } = this.#deps;
    const row = await database.read
      .selectFrom('relayed_query')
      .selectAll()
      .where('query_id', '=', id)
      .executeTakeFirst();
    // Its project or its lease was deleted.
    if (!row) return 'runner_left';
    if (row.answer !== null) return JSON.parse(decrypt(master, `relayed_answer:${id}`, row.answer)) as Outcome;
    if (row.query !== null && passedMs > SEND_MS && (await this.#take(id, row.query))) return 'not_sent';
    if (passedMs > leaseMs + MARGIN_MS) return 'timed_out';
    return row.query === null && (await this.#hasMoved(runnerId, connection, passedMs)) ? 'moved' : undefined;
  }

  /** The server that sent the query was killed, or has no time left to store that the runner left. */
  async #hasMoved(runnerId: number, connection: string | null, passedMs: number): Promise<boolean> {
    if (passedMs < SEND_MS) return false;
    const runner = await this.#deps.database.read
      .selectFrom('runner')
      .select('connection')
      .where('id', '=', runnerId)
      .executeTakeFirst();
    return runner?.connection !== connection;
  }

  /** Resolves when another server has changed a query, or may have. */
  async #change(id: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#asking.set(id, resolve);
    const cancel = this.#deps.clock.after(POLL_MS, resolve);
    await promise;
    cancel();
    this.#asking.delete(id);
  }

  /** Removes a stored query, so that only one server sends it. Returns whether this call removed it. */
  async #take(id: number, query: string): Promise<boolean> {
    const taken = await this.#deps.database.autocommit
      .updateTable('relayed_query')
      .set({ query: null })
      .where('query_id', '=', id)
      .where('query', '=', query)
      .returning('query_id')
      .executeTakeFirst();
    return taken !== undefined;
  }

  /** Sends the queries of other servers to the runners that are linked to this one. */
  async sendWaiting(): Promise<void> {
    const { database, clock, runners, onError } = this.#deps;
    await this.#deleteLeftOver();
    await this.#cancelDeleted();
    const linked = new Map(runners().map((runner) => [runner.id, runner]));
    if (linked.size === 0) return;
    const waiting = await database.read
      .selectFrom('relayed_query')
      .select(['query_id', 'runner_id', 'query', 'expires'])
      .where('query', 'is not', null)
      .where('runner_id', 'in', [...linked.keys()])
      .where('expires', '>', clock.now().toISOString())
      .execute();
    for (const { query_id: id, runner_id, query, expires } of waiting) {
      const runner = linked.get(runner_id);
      if (!runner || query === null || !(await this.#take(id, query))) continue;
      const answering = this.#answer(runner, id, query, expires)
        .catch(onError)
        .finally(() => {
          this.#answering.delete(answering);
          this.#sent.delete(id);
        });
      this.#answering.add(answering);
    }
  }

  /** Deletes the queries of servers that were killed while they asked. */
  async #deleteLeftOver(): Promise<void> {
    const { database, clock } = this.#deps;
    const before = new Date(clock.now().getTime() - DELETE_MS).toISOString();
    const rows = await database.read
      .selectFrom('relayed_query')
      .select('query_id')
      .where('expires', '<', before)
      .execute();
    if (rows.length === 0) return;
    const ids = rows.map(({ query_id }) => query_id);
    await database.autocommit.deleteFrom('relayed_query').where('query_id', 'in', ids).execute();
  }

  /** Ends queries whose server no longer waits for an answer. */
  async #cancelDeleted(): Promise<void> {
    const ids = [...this.#sent.keys()];
    if (ids.length === 0) return;
    const rows = await this.#deps.database.read
      .selectFrom('relayed_query')
      .select('query_id')
      .where('query_id', 'in', ids)
      .execute();
    const kept = new Set(rows.map(({ query_id }) => query_id));
    for (const id of ids) if (!kept.has(id)) this.#sent.get(id)?.abort();
  }

  async #answer(runner: ConnectedRunner, id: number, query: string, expires: string): Promise<void> {
    const { database, clock, master, changed } = this.#deps;
    const holder = { runnerId: runner.id, tokenHash: runner.tokenHash };
    const holds = !runner.draining && (await leaseHolds(database, id, holder));
    const leaseMs = Date.parse(expires) - clock.now().getTime();
    const sent = new AbortController();
    this.#sent.set(id, sent);
    const outcome: Outcome = holds
      ? await runner.session.queries.ask(
          id,
          leaseMs,
          JSON.parse(decrypt(master, `relayed_query:${id}`, query)) as RunnerQuery,
          sent.signal,
        )
      : 'not_sent';
    await database.autocommit
      .updateTable('relayed_query')
      .set({ answer: encrypt(master, `relayed_answer:${id}`, JSON.stringify(outcome)) })
      .where('query_id', '=', id)
      .execute();
    changed(id);
  }

  /** Ends what this server asks, and resolves when its answers to other servers are stored. Links must be closed before. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const resolve of this.#asking.values()) resolve();
    await Promise.allSettled(this.#answering);
  }
}
