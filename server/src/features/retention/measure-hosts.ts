import type { Clock } from '../../clock.ts';
import type { Database } from '../../database/database.ts';

/** Hosts per query. Each has up to 50 versions of its facts. */
const PAGE = 50;

const sizeOfHosts = async ({ read }: Database, ids: readonly number[]): Promise<number> => {
  const facts = await read
    .selectFrom('host_fact')
    .select((eb) => eb.fn.sum<number | string | null>(eb.fn('length', ['facts'])).as('bytes'))
    .where('host_id', 'in', ids)
    .executeTakeFirst();
  const changes = await read
    .selectFrom('host_change')
    .select((eb) => eb.fn.sum<number | string | null>(eb.fn('length', ['changes'])).as('bytes'))
    .where('host_id', 'in', ids)
    .executeTakeFirst();
  return Number(facts?.bytes ?? 0) + Number(changes?.bytes ?? 0);
};

/** Measures the facts and changes of the hosts of all projects. */
export const measureHosts = async (
  { database, clock }: { readonly database: Database; readonly clock: Pick<Clock, 'now'> },
  signal: AbortSignal,
): Promise<void> => {
  const bytes = new Map<number, number>();
  const projects = await database.read.selectFrom('project').select('id').execute();
  for (const { id } of projects) bytes.set(id, 0);
  for (let after = 0; !signal.aborted; ) {
    const hosts = await database.read
      .selectFrom('host')
      .select(['id', 'project_id'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(PAGE)
      .execute();
    for (const [project, group] of Map.groupBy(hosts, ({ project_id }) => project_id)) {
      const ids = group.map(({ id }) => id);
      bytes.set(project, (bytes.get(project) ?? 0) + (await sizeOfHosts(database, ids)));
    }
    after = hosts.at(-1)?.id ?? after;
    if (hosts.length < PAGE) break;
  }
  if (signal.aborted) return;
  const measured = clock.now().toISOString();
  for (const [project_id, host_bytes] of bytes)
    await database.write(async (tx) => {
      const found = await tx.selectFrom('project').select('id').where('id', '=', project_id).executeTakeFirst();
      if (!found) return;
      await tx
        .insertInto('project_storage')
        .values({ project_id, host_bytes, measured })
        .onConflict((oc) => oc.column('project_id').doUpdateSet({ host_bytes, measured }))
        .execute();
    });
};
