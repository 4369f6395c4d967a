import { hostname } from 'node:os';
import { type Database, LOCK, type StateTransaction } from '../database/database.ts';
import { holdsTasks } from './held-tasks.ts';

const LOCAL = 'local';

/** Whether a runner of this name is one that a server starts for itself. */
export const isLocalName = (name: string): boolean => name === LOCAL || name.startsWith(`${LOCAL}@`);

export interface LocalRunnerFacts {
  readonly tokenHash: string;
  readonly slots: number;
  readonly now: Date;
}

interface LocalRow {
  readonly id: number;
  readonly name: string;
}

/** A row whose server is no more. Where others may use the database, one that holds tasks may only be between two starts. */
const findAbandoned = async (
  database: Database,
  tx: StateTransaction,
  rows: readonly LocalRow[],
): Promise<LocalRow | undefined> => {
  for (const name of [`${LOCAL}@${hostname()}`, LOCAL]) {
    const row = rows.find((one) => one.name === name);
    if (row && !(database.capabilities.isShared && (await holdsTasks(tx, row.id)))) return row;
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
 * Answers the id of the runner that proves itself with this token. A token that is not known yet gets the row of a runner
 * that was left behind, or one of its own: never that of another server's, which may have runs.
 */
export const registerLocalRunner = async (
  database: Database,
  { tokenHash, slots, now }: LocalRunnerFacts,
): Promise<number> => {
  const facts = { token_hash: tokenHash, slots };
  // Under the lock, so that no other server takes the row over meanwhile.
  const own = await database.write(
    (tx) =>
      tx.updateTable('runner').set({ slots }).where('token_hash', '=', tokenHash).returning('id').executeTakeFirst(),
    LOCK.claim,
  );
  if (own) return own.id;
  // Looked at twice: the first look waits for those who are leaving, which nobody should do under the lock.
  const isAlone = (await database.othersConnected()) === 0;
  return await database.write(async (tx) => {
    const rows = await tx.selectFrom('runner').select(['id', 'name']).where('name', 'like', `${LOCAL}%`).execute();
    const isStillAlone = isAlone && (await database.othersConnected(tx)) === 0;
    const abandoned = isStillAlone ? await findAbandoned(database, tx, rows) : undefined;
    if (abandoned) {
      await tx
        .updateTable('runner')
        .set({ ...facts, process: null, connection: null })
        .where('id', '=', abandoned.id)
        .execute();
      return abandoned.id;
    }
    const row = { ...facts, name: freeName(rows), created: now.toISOString() };
    return (await tx.insertInto('runner').values(row).returning('id').executeTakeFirstOrThrow()).id;
  }, LOCK.claim);
};
