import { type Kysely, sql } from 'kysely';
import type { Database, StateReader } from '../database/database.ts';
import { decrypt, encrypt, keyIdOf } from './cipher.ts';
import { ENCRYPTED_COLUMNS, type SecretContext } from './encrypted-columns.ts';
import type { MasterKey } from './master-key.ts';

const BATCH = 100;

interface Encrypted {
  readonly id: number;
  readonly secret: string;
}

type Prefix = keyof typeof ENCRYPTED_COLUMNS;

const PREFIXES = Object.keys(ENCRYPTED_COLUMNS) as Prefix[];
/** Secrets whose values users entered, and only users can enter again. */
export const GIVEN_BY_PEOPLE = PREFIXES.filter((prefix) => prefix !== 'lease_secret' && prefix !== 'log_store');

/** Encrypted values of one kind from an id on, in the order of the ids. */
const batchFrom = (db: StateReader, prefix: Prefix, from: number): Promise<readonly Encrypted[]> => {
  const { table, column } = ENCRYPTED_COLUMNS[prefix];
  return db
    .selectFrom(sql<{ id: number }>`${sql.table(table)}`.as('encrypted'))
    .select(['id', sql.ref<string>(column).as('secret')])
    .where('id', '>=', from)
    .where(sql.ref<string>(column), '<>', '')
    .orderBy('id')
    .limit(BATCH)
    .execute();
};

async function* batches(
  db: StateReader,
  prefixes = PREFIXES,
): AsyncGenerator<{ readonly prefix: Prefix; readonly rows: readonly Encrypted[] }> {
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

/** Ids of unavailable keys that encrypted secrets of these kinds. */
export const missingKeys = async (db: StateReader, master: MasterKey, prefixes = PREFIXES): Promise<string[]> => {
  const missing = new Set<string>();
  for await (const { rows } of batches(db, prefixes)) for (const { secret } of rows) missing.add(keyIdOf(secret) ?? '');
  for (const known of ['', master.id, ...master.others.map(({ id }) => id)]) missing.delete(known);
  return [...missing];
};

/** Which stored secrets the available keys decrypt. */
export interface VaultReport {
  /** Number of secrets per key id, all of which were decrypted. */
  readonly opened: Readonly<Record<string, number>>;
  readonly broken: readonly { readonly context: SecretContext; readonly key: string | null }[];
}

/** Decrypts every stored secret, without returning any. */
export const checkVault = async (db: StateReader, master: MasterKey): Promise<VaultReport> => {
  const opened: Record<string, number> = {};
  const broken: { context: SecretContext; key: string | null }[] = [];
  for await (const { prefix, rows } of batches(db)) {
    for (const { id, secret } of rows) {
      const context = `${prefix}:${id}` as const;
      const key = keyIdOf(secret);
      try {
        decrypt(master, context, secret);
        opened[key ?? ''] = (opened[key ?? ''] ?? 0) + 1;
      } catch {
        broken.push({ context, key: key ?? null });
      }
    }
  }
  return { opened, broken };
};

/**
 * Re-encrypts with the first key what another key encrypted. A value that a server changes at the same time keeps the
 * server's change. Can be killed and repeated at any time, because every value is encrypted with one of the keys.
 * @param onDone called with the number of further values that were checked
 * @returns the number of re-encrypted values
 */
export const reencryptVault = async (
  database: Database,
  master: MasterKey,
  onDone: (count: number) => void = () => undefined,
): Promise<number> => {
  let reencryptedText = 0;
  for await (const { prefix, rows } of batches(database.read)) {
    const due = rows.filter(({ secret }) => keyIdOf(secret) !== master.id);
    const { table, column } = ENCRYPTED_COLUMNS[prefix];
    if (due.length > 0) {
      await database.write(async (tx) => {
        const db = tx as unknown as Kysely<never>;
        for (const { id, secret } of due) {
          const context = `${prefix}:${id}` as const;
          const reencrypted2 = encrypt(master, context, decrypt(master, context, secret));
          await sql`
            update ${sql.table(table)} set ${sql.ref(column)} = ${reencrypted2}
            where id = ${id} and ${sql.ref(column)} = ${secret}`.execute(db);
        }
      });
      reencryptedText += due.length;
    }
    onDone(rows.length);
  }
  return reencryptedText;
};
