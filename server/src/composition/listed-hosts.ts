import type { Clock } from '../clock.ts';
import type { Database } from '../database/database.ts';
import { writeListedHosts } from '../features/hosts/host-inventory.store.ts';
import type { RunnerQueries } from './runner-queries.ts';

type QueryHosts = RunnerQueries['hosts'];

interface ListingDeps {
  readonly database: Database;
  readonly clock: Clock;
  /** Reports that a listing could not be stored. The caller gets it nevertheless. */
  readonly onError: (error: unknown) => void;
}

/** Lists the hosts of an inventory, and stores which hosts of the project the listing has. */
export const notedListing =
  (queryHosts: QueryHosts, { database, clock, onError }: ListingDeps): QueryHosts =>
  async (requester, inventory, repositoryId) => {
    const found = await queryHosts(requester, inventory, repositoryId);
    if (!found || 'refused' in found) return found;
    const listing = { id: inventory.id, projectId: requester.projectId, repositoryId };
    await writeListedHosts(database, listing, found.hosts, clock.now()).catch(onError);
    return found;
  };
