import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { describeRemoteDatabase } from '../../../testing/databases.ts';
import { openDatabase } from '../../open-database.ts';
import { makeAsk } from './postgres-dialect.ts';

describeRemoteDatabase('the connection on which a database is asked whether it lives', (makePlace) => {
  it('[R9] says nothing against the database when something has ended it', async () => {
    const { databaseUrl = '' } = await makePlace();
    const database = openDatabase({ url: databaseUrl });
    onTestFinished(() => database.close());
    const { ask, close } = makeAsk(databaseUrl);
    onTestFinished(close);
    await ask(30_000);
    for (let round = 0; round < 3; round++) {
      const { rows } = await sql<{ is_ended: boolean }>`
        select pg_terminate_backend(pid, 10000) as is_ended from pg_stat_activity
        where application_name = 'signalbox watch' and datname = current_database()`.execute(database.read);
      // The database's own watch may have one too.
      expect(rows).toContainEqual({ is_ended: true });
      await ask(30_000);
    }
  });
});
