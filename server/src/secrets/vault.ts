import { type Kysely, sql } from 'kysely';
import type { Database, StateReader } from '../database/database.ts';
import { decrypt, encrypt, keyIdOf } from './cipher.ts';
import type { MasterKey } from './master-key.ts';
import { SEALED, type SecretPlace } from './sealed-places.ts';

const BATCH = 100;

interface Sealed {
  readonly id: number;
  readonly secret: string;
}

type Prefix = keyof typeof SEALED;

const PREFIXES = Object.keys(SEALED) as Prefix[];
/** Those whose values people gave, and only people can give anew. */
export const GIVEN_BY_PEOPLE = PREFIXES.filter((prefix) => prefix !== 'lease_secret');

/** Sealed values of one kind from an id on, in the order of their ids. */
const batchFrom = async (db: StateReader, prefix: Prefix, from: number): Promise<readonly Sealed[]> => {
  const { table, column } = SEALED[prefix];
  const { rows } = await sql<Sealed>`
    select id, ${sql.ref(column)} as secret from ${sql.table(table)}
    where id >= ${from} and ${sql.ref(column)} <> '' order by id limit ${BATCH}`.execute(db);
  return rows;
};

async function* batches(
  db: StateReader,
  prefixes = PREFIXES,
): AsyncGenerator<{ readonly prefix: Prefix; readonly rows: readonly Sealed[] }> {
  for (const prefix of prefixes) {
    let from = 0;
    for (;;) {
      const rows = await batchFrom(db, prefix, from);
      if (rows.length === 0) break;
      yield { prefix, rows };
      from = (rows.at(-1)?.id ?? 0) + 1;
    }
  }
}

/** Ids of keys that sealed something, of these kinds, and are not at hand. */
export const missingKeys = async (db: StateReader, master: MasterKey, prefixes = PREFIXES): Promise<string[]> => {
  const missing = new Set<string>();
  for await (const { rows } of batches(db, prefixes)) for (const { secret } of rows) missing.add(keyIdOf(secret) ?? '');
  for (const known of ['', master.id, ...master.others.map(({ id }) => id)]) missing.delete(known);
  return [...missing];
};

/** What the keys at hand open of all that is stored. */
export interface VaultReport {
  /** How many secrets each key sealed, by its id; all of them were opened. */
  readonly opened: Readonly<Record<string, number>>;
  readonly broken: readonly { readonly place: SecretPlace; readonly key: string | null }[];
}

/** Opens every stored secret, and says of none what it is. */
export const checkVault = async (db: StateReader, master: MasterKey): Promise<VaultReport> => {
  const opened: Record<string, number> = {};
  const broken: { place: SecretPlace; key: string | null }[] = [];
  for await (const { prefix, rows } of batches(db)) {
    for (const { id, secret } of rows) {
      const place = `${prefix}:${id}` as const;
      const key = keyIdOf(secret);
      try {
        decrypt(master, place, secret);
        opened[key ?? ''] = (opened[key ?? ''] ?? 0) + 1;
      } catch {
        broken.push({ place, key: key ?? null });
      }
    }
  }
  return { opened, broken };
};

/**
 * Seals with the first key what another one sealed. A value that a server changes meanwhile is left as it was changed.
 * Killed at any moment, every value is sealed by one of the keys, and another call goes on.
 * @param onDone called with how many more were looked at
 * @returns how many were sealed anew
 */
export const resealVault = async (
  database: Database,
  master: MasterKey,
  onDone: (count: number) => void = () => undefined,
): Promise<number> => {
  let resealed = 0;
  for await (const { prefix, rows } of batches(database.read)) {
    const due = rows.filter(({ secret }) => keyIdOf(secret) !== master.id);
    const { table, column } = SEALED[prefix];
    if (due.length > 0) {
      await database.write(async (tx) => {
        const db = tx as unknown as Kysely<never>;
        for (const { id, secret } of due) {
          const place = `${prefix}:${id}` as const;
          const anew = encrypt(master, place, decrypt(master, place, secret));
          await sql`
            update ${sql.table(table)} set ${sql.ref(column)} = ${anew}
            where id = ${id} and ${sql.ref(column)} = ${secret}`.execute(db);
        }
      });
      resealed += due.length;
    }
    onDone(rows.length);
  }
  return resealed;
};
