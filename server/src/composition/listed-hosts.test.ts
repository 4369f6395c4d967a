import { expect, it } from 'vitest';
import { SYSTEM } from '../audit/record-event.ts';
import { describeEachDatabase } from '../testing/database/databases.ts';
import { sampleProject } from '../testing/sample-project.ts';
import { TestClock } from '../testing/test-clock.ts';
import { startTestServer } from '../testing/test-server.ts';
import { notedListing } from './listed-hosts.ts';

describeEachDatabase('a listing of hosts', (makeLocation) => {
  it('is answered and the error reported if the listing cannot be stored', async () => {
    const server = await startTestServer(await makeLocation());
    const sample = await sampleProject(await server.signIn());
    const { database } = server.storage;
    await database.autocommit.schema.dropTable('host_inventory').execute();
    const errors: unknown[] = [];
    const listing = { hosts: ['web-1'], groups: [] };
    const query = notedListing(async () => listing, {
      database,
      clock: new TestClock('2026-11-19T10:00:00.000Z'),
      onError: (error) => errors.push(error),
    });
    const requester = { projectId: sample.projectId, actor: SYSTEM };
    const inventory = { id: sample.inventoryId, type: 'static', inventory: 'web-1' } as const;
    expect(await query(requester, inventory, null)).toBe(listing);
    expect(errors).toHaveLength(1);
  });
});
