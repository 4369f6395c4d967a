import { expect, it } from 'vitest';
import type { Database } from '../database/database.ts';
import { withOpenLocation } from '../testing/database/database-snapshot.ts';
import { describeEachDatabase } from '../testing/database/databases.ts';
import { sampleProject } from '../testing/sample-project.ts';
import { startTestServer } from '../testing/test-server.ts';
import { encryptKeySecret } from './key-secret.ts';
import { loadMasterKey, type MasterKey } from './master-key.ts';
import { openDerivedSecret, runKeysOf } from './run-keys.store.ts';
import { checkVault } from './vault.ts';

const openRunKeys = async (database: Database, master: MasterKey) =>
  runKeysOf(await openDerivedSecret(database, master));

const KEY = (byte: number): string => Buffer.alloc(32, byte).toString('base64');

describeEachDatabase('[R6] the keys of runs', (makeLocation) => {
  it('are the same on every server, and not stored in plain text', async () => {
    const location = await makeLocation();
    await (await startTestServer(location)).stop();
    await withOpenLocation(location, async (database) => {
      const master = loadMasterKey(undefined, location.folder);
      const [one, two] = await Promise.all([openRunKeys(database, master), openRunKeys(database, master)]);
      expect(one(7, 2)).toBe(two(7, 2));
      expect(one(7, 2)).not.toBe(one(7, 3));
      const stored = await database.read.selectFrom('lease_secret').selectAll().execute();
      expect(stored).toHaveLength(1);
      expect(stored[0]?.secret).toMatch(/^v1:/);
    });
  });

  it('differ under another encryption key, and nothing is replaced while secrets need the right key', async () => {
    const location = await makeLocation();
    const server = await startTestServer(location);
    const { projectId } = await sampleProject(await server.signIn());
    await server.stop();
    await withOpenLocation(location, async (database) => {
      const right = loadMasterKey(undefined, location.folder);
      const wrong = loadMasterKey(KEY(9), location.folder);
      const input = { name: 'Login', type: 'login_password', secret: '' } as const;
      const { id } = await database.autocommit
        .insertInto('access_key')
        .values({ project_id: projectId, ...input })
        .returning('id')
        .executeTakeFirstOrThrow();
      const secret = encryptKeySecret(right, id, { type: 'login_password', login: 'x', password: 'y' });
      await database.autocommit.updateTable('access_key').set({ secret }).where('id', '=', id).execute();
      const before = (await openRunKeys(database, right))(7, 2);
      const meanwhile = (await openRunKeys(database, wrong))(7, 2);
      expect(meanwhile).not.toBe(before);
      expect((await openRunKeys(database, wrong))(7, 2)).toBe(meanwhile);
      expect((await openRunKeys(database, right))(7, 2)).toBe(before);

      // A user who has lost the key enters the secrets again.
      await database.autocommit.deleteFrom('access_key').where('id', '=', id).execute();
      expect((await openRunKeys(database, wrong))(7, 2)).toBe(meanwhile);
      expect((await checkVault(database.read, wrong)).broken).toEqual([]);
      // Nothing encrypted with the old key is left, but the derived secret is known again once its key is back.
      expect((await openRunKeys(database, right))(7, 2)).toBe(before);
    });
  });
});
