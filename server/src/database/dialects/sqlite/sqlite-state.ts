import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import { LOGS_FILE } from '../../file-names.ts';
import type { DialectState } from '../capabilities.ts';

const sizeOf = async (file: string): Promise<number> => {
  try {
    return (await stat(file)).size;
  } catch {
    return 0;
  }
};

export const sqliteState = async (db: Kysely<never>): Promise<DialectState> => {
  const { rows } = await sql<{ version: string; file: string }>`
    select sqlite_version() as version, (select file from pragma_database_list where name = 'main') as file`.execute(
    db,
  );
  const { version = '', file = '' } = rows[0] ?? {};
  const logs = join(dirname(file), LOGS_FILE);
  const sizes = await Promise.all([file, `${file}-wal`, logs, `${logs}-wal`].map(sizeOf));
  return {
    version,
    bytes: sizes.reduce((sum, bytes) => sum + bytes, 0),
    connections: null,
    oldestTransactionSeconds: null,
  };
};
