import type { ServerMessage } from '@signalbox/contract/link';
import type { Database } from '../../database/database.ts';
import type { OfferedToken, RunnerTokens } from './runner-tokens.ts';

interface Deps {
  readonly database: Database;
  readonly tokens: RunnerTokens;
  readonly runnerId: number;
  /** Hash of the token that the runner has authenticated with. */
  readonly tokenHash: string;
  readonly send: (message: ServerMessage) => void;
}

/** The token of a runner on one link. */
export class SessionToken {
  readonly #deps: Deps;
  #offered: OfferedToken | undefined;

  /** Hash of the current token. */
  hash: string;

  /** Whether the runner can store a new token. */
  isReplaceable = false;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.hash = deps.tokenHash;
  }

  /**
   * Checks whether the token still works, and sends a new one if it is old.
   * @param connection identity of the link
   * @returns `moved` when the runner has signed in with its new token on another link, where its runs continue
   */
  async check(connection: string | undefined): Promise<'current' | 'moved' | 'revoked'> {
    const { database, tokens, runnerId, send } = this.#deps;
    const row = await database.read
      .selectFrom('runner')
      .select(['token_hash', 'connection', 'created', 'token_changed', 'pending_token_hash'])
      .where('id', '=', runnerId)
      .executeTakeFirst();
    if (row?.token_hash !== this.hash) return row && (row.connection ?? undefined) !== connection ? 'moved' : 'revoked';
    if (!this.isReplaceable || this.#offered || connection === undefined || !tokens.isDue(row)) return 'current';
    this.#offered = await tokens.offer(runnerId, this.hash, connection);
    if (this.#offered) send({ type: 'new_token', id: this.#offered.id, token: this.#offered.token });
    return 'current';
  }

  /** Makes the new token the current one, once the runner has stored it. Returns whether it has changed. */
  async stored(id: string): Promise<boolean> {
    const offered = this.#offered;
    if (offered?.id !== id) return false;
    if (!(await this.#deps.tokens.confirm(this.#deps.runnerId, offered.hash))) return false;
    this.hash = offered.hash;
    // The new token ages too: the same link can replace it later.
    this.#offered = undefined;
    return true;
  }
}
