import { hostname } from 'node:os';
import { type Database, LOCK, type StateTransaction } from '../../database/database.ts';
import { hasTasks } from '../leases/tasks-of-runner.ts';

const LOCAL = 'local';

/** Whether the name belongs to a runner that a server starts for itself. */
export const isLocalName = (name: string): boolean => name === LOCAL || name.startsWith(`${LOCAL}@`);

export interface LocalRunnerInput {
  readonly tokenHash: string;
  readonly slots: number;
  readonly now: Date;
}

interface LocalRow {
  readonly id: number;
  readonly name: string;
}

/**
 * Finds a local runner whose server no longer exists. On a shared database, a runner that holds tasks may just be
 * restarting.
 */
const findAbandoned = async (
  database: Database,
  tx: StateTransaction,
  rows: readonly LocalRow[],
): Promise<LocalRow | undefined> => {
  for (const name of [`${LOCAL}@${hostname()}`, LOCAL]) {
    const row = rows.find((one) => one.name === name);
    if (row && !(database.capabilities.isShared && (await hasTasks(tx, row.id)))) return row;
  }
  return undefined;
};

const freeName = (rows: readonly LocalRow[]): string => {
  const taken = new Set(rows.map(({ name }) => name));
  const here = `${LOCAL}@${hostname()}`;
  let name = taken.has(LOCAL) ? here : LOCAL;
  for (let number = 2; taken.has(name); number += 1) name = `${here}-${number}`;
  return name;
};

/**
 * Returns the id of the runner with this token. An unknown token takes over the row of an abandoned runner, or gets a
 * new row. It never takes the row of another server's runner, which may have runs.
 */
export const registerLocalRunner = async (
  database: Database,
  { tokenHash, slots, now }: LocalRunnerInput,
): Promise<number> => {
  const input = { token_hash: tokenHash, slots };
  // Within the lock, so that no other server takes over the row at the same time.
  const own = await database.write(
    (tx) =>
      tx.updateTable('runner').set({ slots }).where('token_hash', '=', tokenHash).returning('id').executeTakeFirst(),
    LOCK.claim,
  );
  if (own) return own.id;
  // Checked twice, because the first check waits for connections that are closing. Nothing should wait while it holds
  // the lock.
  const isAlone = (await database.othersConnected()) === 0;
  return await database.write(async (tx) => {
    const rows = await tx.selectFrom('runner').select(['id', 'name']).where('name', 'like', `${LOCAL}%`).execute();
    const isStillAlone = isAlone && (await database.othersConnected(tx)) === 0;
    const abandoned = isStillAlone ? await findAbandoned(database, tx, rows) : undefined;
    if (abandoned) {
      await tx
        .updateTable('runner')
        .set({ ...input, process: null, connection: null })
        .where('id', '=', abandoned.id)
        .execute();
      return abandoned.id;
    }
    const row = { ...input, name: freeName(rows), created: now.toISOString() };
    return (await tx.insertInto('runner').values(row).returning('id').executeTakeFirstOrThrow()).id;
  }, LOCK.claim);
};
