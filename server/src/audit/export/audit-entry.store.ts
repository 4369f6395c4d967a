import type { AuditDestination } from '../../database/audit.schema.ts';
import type { Database } from '../../database/database.ts';

/**
 * Registers the destinations of this server: events from now on are queued for them. Destinations that are no longer set
 * up are removed with what they have not received.
 */
export const registerDestinations = (
  database: Database,
  names: readonly AuditDestination[],
  now: Date,
): Promise<void> =>
  database.write(async (tx) => {
    const known = await tx.selectFrom('audit_destination').select('name').execute();
    for (const { name } of known)
      if (!names.includes(name)) await tx.deleteFrom('audit_destination').where('name', '=', name).execute();
    for (const name of names)
      await tx
        .insertInto('audit_destination')
        .values({ name, created: now.toISOString() })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
  });

/** Lists what a destination has not received, oldest first. */
export const pendingAuditEntries = ({ read }: Database, destination: AuditDestination, limit: number) =>
  read
    .selectFrom('audit_entry')
    .select(['id', 'event_id', 'entry', 'username', 'project_name'])
    .where('destination', '=', destination)
    .orderBy('id')
    .limit(limit)
    .execute();

export const deleteAuditEntries = async ({ autocommit }: Database, ids: readonly number[]): Promise<void> => {
  await autocommit.deleteFrom('audit_entry').where('id', 'in', ids).execute();
};
