import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { withPostgres } from '../postgres.mjs';
import { findPostgres } from '../system-packages.mjs';
import { Product } from './product.ts';
import { type Amounts, seedSql } from './seed-sql.ts';

export type DatabaseKind = 'SQLite' | 'PostgreSQL';

const fillFile = (folder: string, statements: readonly string[]): void => {
  const database = new DatabaseSync(join(folder, 'signalbox.db'), { enableForeignKeyConstraints: false });
  database.exec('pragma synchronous = off');
  database.exec(`begin; ${statements.join('\n')} commit;`);
  database.exec('pragma wal_checkpoint(truncate)');
  database.close();
};

/** As the database's own housekeeping does after a while, `analyze` counts what is there. */
const fillServer = (url: string, statements: readonly string[]): void => {
  const psql = join(findPostgres() ?? '', 'psql');
  // References are right by construction; checking a million of them takes longer than all else.
  const input = `set session_replication_role = replica; begin; ${statements.join('\n')} commit; vacuum analyze;`;
  execFileSync(psql, ['--quiet', '--no-psqlrc', '--set=ON_ERROR_STOP=1', url], { input });
};

/** A product of the given database that stores so much already; removed after the work, however that goes. */
export const withStoredProduct = async <T>(
  kind: DatabaseKind,
  amounts: Amounts,
  work: (product: Product) => Promise<T>,
): Promise<T> => {
  const run = async (databaseUrl?: string): Promise<T> => {
    const settings = {
      SIGNALBOX_RUNNER_SLOTS: '0',
      ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
    };
    const product = await Product.start(settings);
    try {
      await product.stopServer();
      const statements = seedSql(amounts);
      if (databaseUrl === undefined) fillFile(product.folder, statements);
      else fillServer(databaseUrl, statements);
      await product.startServer();
      return await work(product);
    } finally {
      await product.dispose();
    }
  };
  return kind === 'SQLite' ? await run() : await withPostgres(run);
};
