import type { Database } from '../../database/database.ts';

/** Minimum time between two updates of the last use of a token, in milliseconds. */
const INTERVAL_MS = 60_000;

interface UsedToken {
  readonly id: number;
  readonly last_used: string | null;
}

/** Stores when and from where each API token was last used, at most once a minute and while no call waits for it. */
export class TokenUse {
  readonly #database: Database;
  readonly #onError: (error: unknown) => void;
  /** The updates that are being written, by id of the token. */
  readonly #writing = new Map<number, Promise<void>>();

  constructor(database: Database, onError: (error: unknown) => void) {
    this.#database = database;
    this.#onError = onError;
  }

  /** @param address IP address of the client; undefined if it is not known, which keeps the last one */
  note({ id, last_used }: UsedToken, address: string | undefined, now: Date): void {
    const due = new Date(now.getTime() - INTERVAL_MS).toISOString();
    if (this.#writing.has(id) || (last_used !== null && last_used > due)) return;
    this.#writing.set(id, this.#write(id, address, due, now));
  }

  async #write(id: number, address: string | undefined, due: string, now: Date): Promise<void> {
    try {
      await this.#database.autocommit
        .updateTable('api_token')
        .set({ last_used: now.toISOString(), ...(address === undefined ? {} : { last_address: address }) })
        .where('id', '=', id)
        // Another server may have written it meanwhile.
        .where((eb) => eb.or([eb('last_used', 'is', null), eb('last_used', '<=', due)]))
        .execute();
    } catch (error) {
      this.#onError(error);
    } finally {
      this.#writing.delete(id);
    }
  }

  /** Resolves when every noted use is stored. */
  async written(): Promise<void> {
    await Promise.all(this.#writing.values());
  }
}
