import { createHash } from 'node:crypto';
import type { HostFactValues } from '@signalbox/contract';
import { sql } from 'kysely';
import type { StateTransaction } from '../../database/database.ts';
import type { HostNote, HostNoteChange } from '../../logs/results/host-notes.ts';
import { packJson } from './packed.ts';

/** Versions of the facts, and runs with changes, that are kept of a host. */
const [MAX_VERSIONS, MAX_CHANGED_RUNS] = [50, 50];
/** Longest facts of a host, as JSON in bytes. */
const MAX_FACT_BYTES = 64 * 1024;

/** The run that noted something. */
export interface NotedRun {
  readonly taskId: number;
  readonly templateId: number;
  /** Time when it ended, in milliseconds since 1970. */
  readonly ended: number;
}

type Hosts = ReadonlyMap<string, number>;

/** The ids of hosts by name. */
export const hostIds = async (tx: StateTransaction, projectId: number, names: readonly string[]): Promise<Hosts> => {
  if (names.length === 0) return new Map();
  const rows = await tx
    .selectFrom('host')
    .select(['id', 'host'])
    .where('project_id', '=', projectId)
    .where('host', 'in', [...names])
    .execute();
  return new Map(rows.map(({ id, host }) => [host, id]));
};

/** Equal facts have equal digests, in whatever order they were gathered. */
const digestOf = (facts: HostFactValues): string =>
  createHash('sha256')
    .update(JSON.stringify(Object.entries(facts).sort(([a], [b]) => (a < b ? -1 : 1))))
    .digest('hex')
    .slice(0, 32);

/** Deletes all but the newest rows of a host. */
const keepNewest = async (
  tx: StateTransaction,
  table: 'host_fact' | 'host_change',
  hostId: number,
  most: number,
): Promise<void> => {
  const name = sql.table(table);
  await sql`delete from ${name} where host_id = ${hostId} and ended <
    (select ended from ${name} where host_id = ${hostId} order by ended desc limit 1 offset ${most - 1})`.execute(tx);
};

const writeFacts = async (
  tx: StateTransaction,
  hostId: number,
  facts: HostFactValues,
  run: NotedRun,
): Promise<void> => {
  const { taskId: task_id, templateId: template_id, ended } = run;
  if (Buffer.byteLength(JSON.stringify(facts)) > MAX_FACT_BYTES) return;
  const last = await tx
    .selectFrom('host_fact')
    .select(['ended', 'task_id', 'digest', 'seen_ended'])
    .where('host_id', '=', hostId)
    .orderBy('ended', 'desc')
    .limit(1)
    .executeTakeFirst();
  // Runs come in any order, and again after a crash: older facts are not a new version.
  if (last && Number(last.seen_ended) >= ended) return;
  const seen = { seen_ended: ended, seen_task_id: task_id, seen_template_id: template_id };
  const digest = digestOf(facts);
  if (last?.digest === digest) {
    await tx
      .updateTable('host_fact')
      .set(seen)
      .where('host_id', '=', hostId)
      .where('ended', '=', last.ended)
      .where('task_id', '=', last.task_id)
      .execute();
    return;
  }
  await tx
    .insertInto('host_fact')
    .values({ host_id: hostId, ended, task_id, template_id, ...seen, digest, facts: packJson(facts) })
    .execute();
  await keepNewest(tx, 'host_fact', hostId, MAX_VERSIONS);
};

/** Stores the groups and facts that a part of a run noted. Storing them again changes nothing. */
export const writeGroupsAndFacts = async (
  tx: StateTransaction,
  hosts: Hosts,
  notes: readonly HostNote[],
  run: NotedRun,
): Promise<void> => {
  for (const { host, groups, facts } of notes) {
    const id = hosts.get(host);
    if (id === undefined) continue;
    if (groups)
      await tx
        .updateTable('host')
        .set({ group_names: JSON.stringify(groups) })
        .where('id', '=', id)
        .execute();
    if (facts) await writeFacts(tx, id, facts, run);
  }
};

/** Stores what a run changed on some hosts. Storing it again changes nothing. */
export const writeChanges = async (
  tx: StateTransaction,
  hosts: Hosts,
  changes: ReadonlyMap<string, readonly HostNoteChange[]>,
  { taskId: task_id, templateId: template_id, ended }: NotedRun,
): Promise<void> => {
  for (const [host, list] of changes) {
    const host_id = hosts.get(host);
    if (host_id === undefined) continue;
    const content = { count: list.length, changes: packJson(list) };
    await tx
      .insertInto('host_change')
      .values({ host_id, task_id, template_id, ended, ...content })
      .onConflict((oc) => oc.columns(['host_id', 'ended', 'task_id']).doUpdateSet(content))
      .execute();
    await keepNewest(tx, 'host_change', host_id, MAX_CHANGED_RUNS);
  }
};
