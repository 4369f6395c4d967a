import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { Selectable } from 'kysely';
import type { Database, State, StateReader } from '../database/database.ts';
import type { ServerKeysTable } from '../database/encryption.schema.ts';
import { WorkerLoop } from '../worker-loop.ts';
import type { MasterKey } from './master-key.ts';

type ServerRow = Selectable<ServerKeysTable>;

/** Interval at which a server increases its counter, in milliseconds. */
const HEARTBEAT_MS = 5_000;
/** Number of own heartbeats without one of another server after which the row of that server is deleted: 10 minutes. */
const DEAD_HEARTBEATS = 120;
/**
 * Time without a heartbeat after which `serversNotUsing` treats a server as killed, in milliseconds: two heartbeats
 * and a margin.
 */
const SILENT_MS = 15_000;
const POLL_MS = 250;

const readRows = (db: StateReader): Promise<ServerRow[]> =>
  db.selectFrom('server_keys').selectAll().orderBy('id').execute();

const deleteRows = async (db: State, ids: readonly number[]): Promise<void> => {
  if (ids.length > 0) await db.deleteFrom('server_keys').where('id', 'in', ids).execute();
};

/** Stores which encryption keys this server has, for as long as it runs. */
export class ServerKeys {
  readonly #database: Database;
  readonly #keys: string;
  readonly #loop: WorkerLoop;
  /** For each other server: its counter, and for how many heartbeats of this server the counter has not changed. */
  #others = new Map<number, { readonly heartbeats: number; readonly silent: number }>();
  #id: number | undefined;

  constructor(database: Database, { id, others }: MasterKey, onError: (error: unknown) => void) {
    this.#database = database;
    this.#keys = [id, ...others.map((key) => key.id)].join(',');
    this.#loop = new WorkerLoop({
      work: () => this.#heartbeat(),
      everyMs: HEARTBEAT_MS,
      firstMs: HEARTBEAT_MS,
      onError,
    });
  }

  /** For each other server: its counter, and for how many heartbeats of this server it has not changed. */
  async start(): Promise<void> {
    await this.#heartbeat();
    this.#loop.start();
  }

  /** Never rejects: another server later deletes a row that can't be deleted now. */
  async stop(): Promise<void> {
    await this.#loop.stop();
    if (this.#id !== undefined) await deleteRows(this.#database.autocommit, [this.#id]).catch(() => undefined);
  }

  async #heartbeat(): Promise<undefined> {
    this.#id = await this.#database.write(async (tx) => {
      const updated = await tx
        .updateTable('server_keys')
        .set((eb) => ({ heartbeats: eb('heartbeats', '+', 1) }))
        .where('id', '=', this.#id ?? 0)
        .returning('id')
        .executeTakeFirst();
      if (updated) return updated.id;
      // This is the first heartbeat, or another server deleted the row while this process was suspended.
      const row = { server: `${hostname()} (process ${process.pid})`, keys: this.#keys, heartbeats: 0 };
      return (await tx.insertInto('server_keys').values(row).returning('id').executeTakeFirstOrThrow()).id;
    });
    const rows = (await readRows(this.#database.read)).filter(({ id }) => id !== this.#id);
    this.#others = new Map(
      rows.map(({ id, heartbeats }) => {
        const before = this.#others.get(id);
        return [id, { heartbeats, silent: before?.heartbeats === heartbeats ? before.silent + 1 : 0 }];
      }),
    );
    const dead = [...this.#others].flatMap(([id, { silent }]) => (silent >= DEAD_HEARTBEATS ? [id] : []));
    await deleteRows(this.#database.autocommit, dead);
    return undefined;
  }
}

/** A running server and the ids of its keys: it encrypts with the first and decrypts with all. */
export interface RunningServerKeys {
  readonly server: string;
  readonly keys: readonly string[];
}

/** The first of the comma-separated key ids of a row. */
const encryptsWith = (keys: string): string | undefined => keys.split(',')[0];

/**
 * Finds the running servers that encrypt with another key than this one. A killed server leaves its row behind, so this
 * waits up to 15 seconds for the counters of such servers to change, and deletes the rows whose counters do not.
 */
export const serversNotUsing = async (db: State, keyId: string): Promise<RunningServerKeys[]> => {
  const lacking = async (): Promise<ServerRow[]> =>
    (await readRows(db)).filter(({ keys }) => encryptsWith(keys) !== keyId);
  const first = new Map((await lacking()).map(({ id, heartbeats }) => [id, heartbeats]));
  let rows: ServerRow[] = [];
  let running: ServerRow[] = [];
  const deadline = performance.now() + SILENT_MS;
  if (first.size > 0)
    do {
      await delay(POLL_MS);
      rows = await lacking();
      running = rows.filter(({ id, heartbeats }) => first.get(id) !== heartbeats);
    } while (running.length < rows.length && performance.now() < deadline);
  // If such a server was only suspended, it creates its row again.
  await deleteRows(
    db,
    rows.filter((row) => !running.includes(row)).map(({ id }) => id),
  );
  return running.map(({ server, keys }) => ({ server, keys: keys.split(',') }));
};
