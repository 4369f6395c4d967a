import { sql, type Transaction } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { describeRemoteEmptyDatabase } from '../../../testing/database/databases.ts';
import { openDatabase } from '../../open-database.ts';

const KIND = 99;

describeRemoteEmptyDatabase('locks of one kind', (makeLocation) => {
  it('are taken in ascending order, so that transactions cannot deadlock', async () => {
    const { databaseUrl = '' } = await makeLocation();
    const database = openDatabase({ url: databaseUrl });
    onTestFinished(() => database.close());
    const { autocommit, capabilities } = database;
    const waiting = async (): Promise<number> => {
      const { rows } = await sql<{ count: number }>`
        select count(*)::integer as count from pg_locks where locktype = 'advisory' and not granted`.execute(
        autocommit,
      );
      return rows[0]?.count ?? 0;
    };
    const hold = (numbers: readonly number[], work: () => Promise<void> = () => Promise.resolve()) =>
      autocommit.transaction().execute(async (tx) => {
        await capabilities.lockEach(tx as unknown as Transaction<never>, KIND, numbers);
        await work();
      });
    const [isLocked, mayGo] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const gate = hold([3], () => {
      isLocked.resolve();
      return mayGo.promise;
    });
    await isLocked.promise;
    // Both advance as far as possible before the gate opens.
    const both = [hold([1, 3, 2]), hold([2, 3, 1])];
    await expect.poll(waiting).toBe(2);
    mayGo.resolve();
    await expect(Promise.all([gate, ...both])).resolves.toBeDefined();
  });
});
