import type { EventMessage } from '@signalbox/contract';
import { DAY_MS } from '@signalbox/contract/limits';
import type { RunnerQuery } from '@signalbox/contract/link';
import { type Actor, recordEvent } from '../../audit/record-event.ts';
import type { Database, StateTransaction } from '../../database/database.ts';
import type { QueryOutcome } from '../../database/schema.ts';
import { runnersOfProject } from '../claim/runner-rules.ts';
import { hasToken } from '../session/runner-tokens.ts';

/** A test of a key or of an address; the event is stored once the runner is known. */
interface TestEvent {
  readonly kind: 'key.tested' | 'key.unsaved_tested' | 'repository.access_tested';
  /** Name of the key or address of the repository. Empty for a key that is not saved. */
  readonly name: string;
}

const testMessage = ({ kind, name }: TestEvent, runner: string): EventMessage => {
  if (kind === 'key.unsaved_tested') return { kind, params: { runner } };
  return kind === 'key.tested' ? { kind, params: { name, runner } } : { kind, params: { address: name, runner } };
};

/** The kind, requester and subject of a query. Stored before the runner receives the query. */
export interface QueryRequest {
  readonly ask: RunnerQuery['ask'];
  readonly projectId: number;
  readonly actor: Actor;
  readonly about: { readonly type: 'repository' | 'inventory' | 'key'; readonly id: number | null };
  /** The runners that may answer; undefined for all that take queries of the project. */
  readonly runners?: ReadonlySet<number>;
  /** The event to record. Undefined for queries that only fill a list. */
  readonly event?: TestEvent;
  /** Ends the query early when it is aborted. */
  readonly signal?: AbortSignal;
}

export interface LeaseInput {
  readonly runnerId: number;
  /** Hash of the token that the runner has authenticated with. */
  readonly tokenHash: string;
  readonly leaseMs: number;
  readonly now: Date;
}

/** Queries are kept for a week. */
export const KEPT_MS = 7 * DAY_MS;
/**
 * Milliseconds after the end of a lease until it counts as left over by a server that died. Allows for clocks that
 * differ.
 */
export const LEFT_OVER_MS = 60_000;

/**
 * Stores a lease for one runner. Undefined when the token of that runner was revoked, or the runner takes no queries of the
 * project any longer.
 */
export const leaseQuery = (database: Database, request: QueryRequest, input: LeaseInput): Promise<number | undefined> =>
  database.write(async (tx) => {
    const { ask, projectId, actor, about, event } = request;
    const { runnerId, tokenHash, leaseMs, now } = input;
    const runner = await tx
      .selectFrom('runner')
      .select('name')
      .where('id', '=', runnerId)
      .where(hasToken(tokenHash))
      .executeTakeFirst();
    if (!runner || !(await runnersOfProject(tx, projectId, runnerId)).has(runnerId)) return undefined;
    const { id } = await tx
      .insertInto('runner_query')
      .values({
        project_id: projectId,
        user_id: actor.userId,
        address: actor.address,
        runner_id: runnerId,
        runner_name: runner.name,
        ask,
        object_type: about.type,
        object_id: about.id,
        created: now.toISOString(),
        expires: new Date(now.getTime() + leaseMs).toISOString(),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    if (event) {
      await recordEvent(tx, {
        actor,
        projectId,
        objectType: about.type,
        objectId: about.id,
        objectName: event.name,
        ...testMessage(event, runner.name),
        at: now,
      });
    }
    return id;
  });

type Holder = Pick<LeaseInput, 'runnerId' | 'tokenHash'>;

const isKnown = async (db: Database['read'], { runnerId, tokenHash }: Holder): Promise<boolean> => {
  const runner = db.selectFrom('runner').select('id').where('id', '=', runnerId).where(hasToken(tokenHash));
  return (await runner.executeTakeFirst()) !== undefined;
};

/** Whether the lease has not ended and its runner was not deleted. */
export const leaseHolds = async (database: Database, id: number, holder: Holder): Promise<boolean> => {
  const lease = await database.read
    .selectFrom('runner_query')
    .select('id')
    .where('id', '=', id)
    .where('runner_id', '=', holder.runnerId)
    .where('ended', 'is', null)
    .executeTakeFirst();
  return lease !== undefined && (await isKnown(database.read, holder));
};

/**
 * Ends a lease once. True if the lease was valid until now and the token of the runner is unchanged. Only then may
 * its answer be used.
 */
export const endQuery = (
  database: Database,
  id: number,
  holder: Holder,
  outcome: QueryOutcome,
  now: Date,
): Promise<boolean> =>
  database.write(async (tx) => {
    const ended = await tx
      .updateTable('runner_query')
      .set({ ended: now.toISOString(), outcome })
      .where('id', '=', id)
      .where('runner_id', '=', holder.runnerId)
      .where('ended', 'is', null)
      .executeTakeFirst();
    return ended.numUpdatedRows > 0n && (await isKnown(tx, holder));
  });

/** Ends the leases of a runner, in the transaction that revokes its token. */
export const revokeQueries = async (tx: StateTransaction, runnerId: number, now: Date): Promise<void> => {
  await tx
    .updateTable('runner_query')
    .set({ ended: now.toISOString(), outcome: 'revoked' })
    .where('runner_id', '=', runnerId)
    .where('ended', 'is', null)
    .execute();
};

/** Ends leases that a dead server left over, and deletes old queries. */
export const sweepQueries = (database: Database, now: Date): Promise<void> =>
  database.write(async (tx) => {
    const before = (ms: number) => new Date(now.getTime() - ms).toISOString();
    await tx
      .updateTable('runner_query')
      .set({ ended: now.toISOString(), outcome: 'left_over' })
      .where('ended', 'is', null)
      .where('expires', '<', before(LEFT_OVER_MS))
      .execute();
    await tx.deleteFrom('relayed_query').where('expires', '<', before(LEFT_OVER_MS)).execute();
    await tx.deleteFrom('runner_query').where('created', '<', before(KEPT_MS)).where('ended', 'is not', null).execute();
  });
