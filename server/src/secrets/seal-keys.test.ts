import { expect, it } from 'vitest';
import { withOpenPlace } from '../testing/database-snapshot.ts';
import { describeEachDatabase } from '../testing/databases.ts';
import { sampleProject } from '../testing/sample-project.ts';
import { startTestServer } from '../testing/test-server.ts';
import { sealKey } from './key-secret.ts';
import { loadMasterKey } from './master-key.ts';
import { openSealKeys } from './seal-keys.store.ts';
import { checkVault } from './vault.ts';

const KEY = (byte: number): string => Buffer.alloc(32, byte).toString('base64');

describeEachDatabase('[R6] the keys of leases', (makePlace) => {
  it('are the same for every server, and stored nowhere in plain', async () => {
    const place = await makePlace();
    await (await startTestServer(place)).stop();
    await withOpenPlace(place, async (database) => {
      const master = loadMasterKey(undefined, place.folder);
      const [one, two] = await Promise.all([openSealKeys(database, master), openSealKeys(database, master)]);
      expect(one(7, 2)).toBe(two(7, 2));
      expect(one(7, 2)).not.toBe(one(7, 3));
      const stored = await database.read.selectFrom('lease_secret').selectAll().execute();
      expect(stored).toHaveLength(1);
      expect(stored[0]?.secret).toMatch(/^v1:/);
    });
  });

  it('are others under another encryption key, and nothing is changed as long as secrets wait for the right one', async () => {
    const place = await makePlace();
    const server = await startTestServer(place);
    const { projectId } = await sampleProject(await server.signIn());
    await server.stop();
    await withOpenPlace(place, async (database) => {
      const right = loadMasterKey(undefined, place.folder);
      const wrong = loadMasterKey(KEY(9), place.folder);
      const facts = { name: 'Login', type: 'login_password', secret: '' } as const;
      const { id } = await database.autocommit
        .insertInto('access_key')
        .values({ project_id: projectId, ...facts })
        .returning('id')
        .executeTakeFirstOrThrow();
      const secret = sealKey(right, id, { type: 'login_password', login: 'x', password: 'y' });
      await database.autocommit.updateTable('access_key').set({ secret }).where('id', '=', id).execute();
      const before = (await openSealKeys(database, right))(7, 2);
      const meanwhile = (await openSealKeys(database, wrong))(7, 2);
      expect(meanwhile).not.toBe(before);
      expect((await openSealKeys(database, wrong))(7, 2)).toBe(meanwhile);
      expect((await openSealKeys(database, right))(7, 2)).toBe(before);

      // Whoever has lost it gives their secrets anew.
      await database.autocommit.deleteFrom('access_key').where('id', '=', id).execute();
      expect((await openSealKeys(database, wrong))(7, 2)).toBe(meanwhile);
      expect((await checkVault(database.read, wrong)).broken).toEqual([]);
      // Nothing of the old one is left, and yet it is known again where its key comes back.
      expect((await openSealKeys(database, right))(7, 2)).toBe(before);
    });
  });
});
