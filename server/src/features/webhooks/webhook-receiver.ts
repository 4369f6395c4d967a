import type { WebhookAnswer } from '@signalbox/contract';
import { CallLimit } from '../../call-limit.ts';
import type { Clock } from '../../clock.ts';
import type { Database } from '../../database/database.ts';
import { ApiError, notFound } from '../../http/errors/api-error.ts';
import type { MasterKey } from '../../secrets/master-key.ts';
import { hashToken } from '../../secrets/token.ts';
import type { ReceivedCall } from './received-call.ts';
import { isVerified } from './sender-check.ts';
import { secretOf } from './webhook.store.ts';
import type { WebhookHandling } from './webhook-handling.ts';

/** Calls of verified senders that one webhook handles a minute. */
const CALLS_PER_MINUTE = 60;
/** Calls of other senders that are stored a minute. They do not count towards the limit of verified senders. */
const STORED_REFUSALS_PER_MINUTE = 10;

interface ReceiverDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly master: MasterKey;
  readonly handling: Pick<WebhookHandling<{ readonly id: number }>, 'handle' | 'storeUnverified'>;
  /** Called with the project of a webhook whose calls have changed. */
  readonly callsChanged: (projectId: number) => void;
}

/**
 * Returns a function that handles a call to the address of a webhook.
 * @throws not_found for an unknown address and for an unverified sender, too_many, and the errors of a launch
 */
export const webhookReceiver = ({ database, clock, master, handling, callsChanged }: ReceiverDeps) => {
  const calls = new CallLimit(clock, CALLS_PER_MINUTE);
  const refusals = new CallLimit(clock, STORED_REFUSALS_PER_MINUTE);
  return async (token: string, call: ReceivedCall, sender: string): Promise<WebhookAnswer> => {
    const row = await database.read
      .selectFrom('webhook')
      .selectAll()
      .where('token_hash', '=', hashToken(token))
      .executeTakeFirst();
    if (!row) throw notFound();
    const secret = secretOf(master, row);
    const given = { row, secret, call, sender };
    try {
      if (!isVerified(row, secret, call)) {
        if (refusals.take(row.id)) await handling.storeUnverified(given);
        throw notFound();
      }
      if (!calls.take(row.id)) throw new ApiError('too_many.webhook_calls');
      return await handling.handle(given);
    } finally {
      callsChanged(row.project_id);
    }
  };
};
