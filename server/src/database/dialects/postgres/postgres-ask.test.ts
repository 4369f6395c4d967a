import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { describeRemoteEmptyDatabase } from '../../../testing/database/databases.ts';
import { openDatabase } from '../../open-database.ts';
import { makeQuery } from './postgres-dialect.ts';

describeRemoteEmptyDatabase('the connection that probes whether a database is alive', (makeLocation) => {
  it('[R9] treats its own end not as a silent database', async () => {
    const { databaseUrl = '' } = await makeLocation();
    const database = openDatabase({ url: databaseUrl });
    onTestFinished(() => database.close());
    const { ask, close } = makeQuery(databaseUrl);
    onTestFinished(close);
    await ask(30_000);
    for (let round = 0; round < 3; round++) {
      const { rows } = await sql<{ is_ended: boolean }>`
        select pg_terminate_backend(pid, 10000) as is_ended from pg_stat_activity
        where application_name = 'signalbox watch' and datname = current_database()`.execute(database.autocommit);
      // The watch of the database may have one too.
      expect(rows).toContainEqual({ is_ended: true });
      await ask(30_000);
    }
  });
});
