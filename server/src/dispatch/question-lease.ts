import type { EventMessage } from '@signalbox/contract';
import type { Question } from '@signalbox/contract/link';
import { type Actor, recordEvent } from '../audit/record-event.ts';
import type { Database, StateTransaction } from '../database/database.ts';
import type { QuestionOutcome } from '../database/schema.ts';

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

/** What is asked, by whom and about what: all that is written down before a runner hears of it. */
export interface Inquiry {
  readonly ask: Question['ask'];
  readonly projectId: number;
  readonly actor: Actor;
  readonly about: { readonly type: 'repository' | 'inventory' | 'key'; readonly id: number | null };
  /** What stands in the project's events, for what a person does on purpose; what merely fills a list is no event. */
  readonly event?: TestEvent;
}

export interface LeaseFacts {
  readonly runnerId: number;
  /** What the runner has proved itself with. */
  readonly tokenHash: string;
  readonly leaseMs: number;
  readonly now: Date;
}

/** What was asked is told for a week; it is no longer than that of use to anybody. */
export const KEPT_MS = 7 * 24 * 60 * 60_000;
/** How long after its end a lease counts as left behind by a server that died, for clocks that differ. */
export const LEFT_OVER_MS = 60_000;

/** Writes a lease down for one runner. Undefined when that runner's token is worth nothing any more. */
export const leaseQuestion = (database: Database, inquiry: Inquiry, facts: LeaseFacts): Promise<number | undefined> =>
  database.write(async (tx) => {
    const { ask, projectId, actor, about, event } = inquiry;
    const { runnerId, tokenHash, leaseMs, now } = facts;
    const runner = await tx
      .selectFrom('runner')
      .select('name')
      .where('id', '=', runnerId)
      .where('token_hash', '=', tokenHash)
      .executeTakeFirst();
    if (!runner) return undefined;
    const { id } = await tx
      .insertInto('question')
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

type Holder = Pick<LeaseFacts, 'runnerId' | 'tokenHash'>;

const isKnown = async (db: Database['read'], { runnerId, tokenHash }: Holder): Promise<boolean> => {
  const runner = db.selectFrom('runner').select('id').where('id', '=', runnerId).where('token_hash', '=', tokenHash);
  return (await runner.executeTakeFirst()) !== undefined;
};

/** Whether a runner may be given what its lease is about: it has not ended, and the runner was not removed. */
export const leaseHolds = async (database: Database, id: number, holder: Holder): Promise<boolean> => {
  const lease = await database.read
    .selectFrom('question')
    .select('id')
    .where('id', '=', id)
    .where('runner_id', '=', holder.runnerId)
    .where('ended', 'is', null)
    .executeTakeFirst();
  return lease !== undefined && (await isKnown(database.read, holder));
};

/**
 * Ends a lease, once. True when it held until now and the runner still is who it was: only then may its answer be used.
 */
export const endQuestion = (
  database: Database,
  id: number,
  holder: Holder,
  outcome: QuestionOutcome,
  now: Date,
): Promise<boolean> =>
  database.write(async (tx) => {
    const ended = await tx
      .updateTable('question')
      .set({ ended: now.toISOString(), outcome })
      .where('id', '=', id)
      .where('runner_id', '=', holder.runnerId)
      .where('ended', 'is', null)
      .executeTakeFirst();
    return ended.numUpdatedRows > 0n && (await isKnown(tx, holder));
  });

/** Ends the leases of a runner, in the transaction that takes its token its worth. */
export const revokeQuestions = async (tx: StateTransaction, runnerId: number, now: Date): Promise<void> => {
  await tx
    .updateTable('question')
    .set({ ended: now.toISOString(), outcome: 'revoked' })
    .where('runner_id', '=', runnerId)
    .where('ended', 'is', null)
    .execute();
};

/** Ends what servers left behind that died, and forgets what was asked long ago. */
export const sweepQuestions = (database: Database, now: Date): Promise<void> =>
  database.write(async (tx) => {
    const before = (ms: number) => new Date(now.getTime() - ms).toISOString();
    await tx
      .updateTable('question')
      .set({ ended: now.toISOString(), outcome: 'left_over' })
      .where('ended', 'is', null)
      .where('expires', '<', before(LEFT_OVER_MS))
      .execute();
    await tx.deleteFrom('question').where('created', '<', before(KEPT_MS)).where('ended', 'is not', null).execute();
  });
