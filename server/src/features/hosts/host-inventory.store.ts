import { sql } from 'kysely';
import { type Database, LOCK, type StateTransaction } from '../../database/database.ts';

/** Hosts per query. */
const HOSTS = 500;

interface Row {
  readonly host_id: number;
  readonly vanished: number | null;
}

/** Whether every template that uses an inventory takes its file from this repository. */
const isUsual = async (tx: StateTransaction, inventoryId: number, repositoryId: number): Promise<boolean> => {
  const others = await tx
    .selectFrom('template')
    .select('id')
    .where('inventory_id', '=', inventoryId)
    .where('repository_id', '<>', repositoryId)
    .limit(1)
    .execute();
  return others.length === 0;
};

const inParts = async (ids: readonly number[], work: (part: number[]) => Promise<unknown>): Promise<void> => {
  for (let at = 0; at < ids.length; at += HOSTS) await work(ids.slice(at, at + HOSTS));
};

/** Moves the time at which hosts vanished to now, where a run ended on them since: the inventory still does not have them. */
const renewVanished = async (tx: StateTransaction, inventoryId: number, ids: readonly number[], now: number) =>
  inParts(ids, (part) =>
    tx
      .updateTable('host_inventory')
      .set({ vanished: now })
      .where('inventory_id', '=', inventoryId)
      .where('host_id', 'in', part)
      .where(
        'vanished',
        '<',
        sql<number>`(select coalesce(max(t.ended), 0) from host_state t where t.host_id = host_inventory.host_id)`,
      )
      .execute(),
  );

/**
 * Stores which of the known hosts of a project a listing of an inventory has. Hosts that it had before and no longer has have
 * vanished from it.
 * @param repositoryId the repository of an inventory that is a file; null for others
 */
export const writeListedHosts = (
  database: Database,
  inventory: { readonly id: number; readonly projectId: number; readonly repositoryId: number | null },
  names: readonly string[],
  now: Date,
): Promise<void> =>
  database.write(async (tx) => {
    const { id, projectId, repositoryId } = inventory;
    const exists = await tx.selectFrom('inventory').select('id').where('id', '=', id).executeTakeFirst();
    if (!exists || (repositoryId !== null && !(await isUsual(tx, id, repositoryId)))) return;
    const listed = new Set(names);
    const hosts = await tx.selectFrom('host').select(['id', 'host']).where('project_id', '=', projectId).execute();
    const before: readonly Row[] = await tx
      .selectFrom('host_inventory')
      .select(['host_id', 'vanished'])
      .where('inventory_id', '=', id)
      .execute();
    const known = new Map(before.map(({ host_id, vanished }) => [host_id, vanished]));
    const present = new Set(hosts.flatMap((host) => (listed.has(host.host) ? [host.id] : [])));
    const update = (ids: readonly number[], vanished: number | null) =>
      inParts(ids, (part) =>
        tx
          .updateTable('host_inventory')
          .set({ vanished })
          .where('inventory_id', '=', id)
          .where('host_id', 'in', part)
          .execute(),
      );
    const added = [...present].filter((host) => !known.has(host));
    await inParts(added, (part) =>
      tx
        .insertInto('host_inventory')
        .values(part.map((host_id) => ({ host_id, inventory_id: id, vanished: null })))
        .execute(),
    );
    const changed = (isThere: boolean) =>
      [...known].flatMap(([host, vanished]) =>
        present.has(host) === isThere && (vanished === null) !== isThere ? [host] : [],
      );
    await update(changed(true), null);
    await update(changed(false), now.getTime());
    const stillVanished = [...known].flatMap(([host, vanished]) =>
      vanished !== null && !present.has(host) ? [host] : [],
    );
    await renewVanished(tx, id, stillVanished, now.getTime());
  }, LOCK.hosts);
