import { randomUUID } from 'node:crypto';
import type { ExpressionBuilder } from 'kysely';
import type { Clock } from '../../clock.ts';
import type { Database, StateTransaction } from '../../database/database.ts';
import type { StateSchema } from '../../database/schema.ts';
import { hashToken, newToken } from '../../secrets/token.ts';

const HOUR_MS = 60 * 60_000;

/** Minimum time between two notes about copies of a token, in milliseconds. */
const NOTE_EVERY_MS = HOUR_MS;

/** The columns of a runner that decide whether its token is replaced. */
interface TokenAge {
  readonly created: string;
  readonly token_changed: string | null;
  readonly pending_token_hash: string | null;
}

/** A runner that has shown its token. */
export interface KnownToken {
  readonly id: number;
  readonly name: string;
  readonly tokenHash: string;
  /** Whether the token was sent to the runner and is not confirmed. */
  readonly isPending: boolean;
}

/** A new token that was sent to a runner on one link. */
export interface OfferedToken {
  readonly id: string;
  readonly token: string;
  readonly hash: string;
}

/**
 * The condition that a token is the current one of a runner, or the one before it. For work that began before the token
 * was replaced: a link with an earlier token is closed with its next heartbeat.
 */
export const hasToken = (hash: string) => (eb: ExpressionBuilder<StateSchema, 'runner'>) =>
  eb.or([eb('token_hash', '=', hash), eb('previous_token_hash', '=', hash)]);

/** The stored time of the last replacement of a token that must be replaced now. */
const REQUESTED = '1970-01-01T00:00:00.000Z';

/** Lets the token of a runner be replaced with its next heartbeat. Undefined when the runner does not exist. */
export const requestNewToken = (tx: StateTransaction, id: number): Promise<{ id: number; name: string } | undefined> =>
  tx
    .updateTable('runner')
    .set({ token_changed: REQUESTED })
    .where('id', '=', id)
    .returning(['id', 'name'])
    .executeTakeFirst();

interface Deps {
  readonly database: Database;
  readonly clock: Clock;
  /** Age at which the token of a runner is replaced, in hours; 0 for never. */
  readonly maxHours: number;
}

/**
 * The tokens of runners. A token is replaced in two steps, so that a crash at any moment loses none: the server stores
 * the hash of the new token next to the current one and sends the new token; when the runner has stored it, or signs in
 * with it, it becomes the only one.
 */
export class RunnerTokens {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Finds the runner with this token: its current one, or one that was sent to it and not confirmed. */
  async find(token: string): Promise<KnownToken | undefined> {
    const hash = hashToken(token);
    const rows = await this.#deps.database.read
      .selectFrom('runner')
      .select(['id', 'name', 'token_hash', 'pending_token_hash', 'duplicate_seen'])
      .where((eb) =>
        eb.or([eb('token_hash', '=', hash), eb('pending_token_hash', '=', hash), eb('previous_token_hash', '=', hash)]),
      )
      .execute();
    const row = rows.find((one) => one.token_hash === hash || one.pending_token_hash === hash);
    if (row) return { id: row.id, name: row.name, tokenHash: hash, isPending: row.token_hash !== hash };
    for (const one of rows) await this.#noteCopy(one);
    return undefined;
  }

  /** Records that a process has used a token that was replaced: it must have a copy. */
  async #noteCopy({
    id,
    duplicate_seen,
  }: {
    readonly id: number;
    readonly duplicate_seen: string | null;
  }): Promise<void> {
    const now = this.#deps.clock.now();
    if (duplicate_seen !== null && Date.parse(duplicate_seen) > now.getTime() - NOTE_EVERY_MS) return;
    await this.#deps.database.autocommit
      .updateTable('runner')
      .set({ duplicate_seen: now.toISOString() })
      .where('id', '=', id)
      .execute();
  }

  isDue({ created, token_changed, pending_token_hash }: TokenAge): boolean {
    const { clock, maxHours } = this.#deps;
    if (token_changed === REQUESTED) return true;
    if (maxHours === 0) return false;
    if (pending_token_hash !== null) return true;
    return Date.parse(token_changed ?? created) <= clock.now().getTime() - maxHours * HOUR_MS;
  }

  /**
   * Stores a new token next to the current one. A link offers one token at most: the runner may have stored an earlier one
   * and not confirmed it.
   * @returns undefined when the token or the link of the runner has changed meanwhile
   */
  async offer(id: number, tokenHash: string, connection: string): Promise<OfferedToken | undefined> {
    const token = newToken();
    const hash = hashToken(token);
    const stored = await this.#deps.database.autocommit
      .updateTable('runner')
      .set({ pending_token_hash: hash })
      .where('id', '=', id)
      .where('token_hash', '=', tokenHash)
      .where('connection', '=', connection)
      .returning('id')
      .executeTakeFirst();
    return stored && { id: randomUUID(), token, hash };
  }

  /**
   * Makes a sent token the only one, once the runner has stored it.
   * @returns false when another token was sent meanwhile, or the runner was deleted
   */
  async confirm(id: number, hash: string): Promise<boolean> {
    const confirmed = await this.#deps.database.autocommit
      .updateTable('runner')
      .set((eb) => ({
        previous_token_hash: eb.ref('token_hash'),
        token_hash: hash,
        pending_token_hash: null,
        token_changed: this.#deps.clock.now().toISOString(),
      }))
      .where('id', '=', id)
      .where('pending_token_hash', '=', hash)
      .returning('id')
      .executeTakeFirst();
    return confirmed !== undefined;
  }
}
