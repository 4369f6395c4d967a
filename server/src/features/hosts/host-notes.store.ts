import { createHash } from 'node:crypto';
import type { HostFactValues } from '@signalbox/contract';
import { sql } from 'kysely';
import { readRules } from '../../access/read-access.ts';
import type { StateTransaction } from '../../database/database.ts';
import type { HostNote, HostNoteChange } from '../../logs/results/host-notes.ts';
import { writeFactValues, writeGroupNames } from './host-values.store.ts';
import { mergedFacts } from './merged-facts.ts';
import { packJson, unpackJson } from './packed.ts';

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

const sorted = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;

/** Equal facts have equal digests, in whatever order they were gathered. */
const digestOf = (facts: HostFactValues): string =>
  createHash('sha256').update(JSON.stringify(facts, sorted)).digest('hex').slice(0, 32);

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

/** The newest facts of a host that those of a run may be merged with: of the same template, or of one that is not restricted. */
const lastFacts = (tx: StateTransaction, hostId: number, templateId: number, restricted: ReadonlySet<number>) =>
  tx
    .selectFrom('host_fact')
    .select(['ended', 'task_id', 'digest', 'facts', 'seen_ended', 'seen_task_id'])
    .where('host_id', '=', hostId)
    .where((eb) => {
      const template = eb.selectFrom('template').select('id').whereRef('template.id', '=', 'host_fact.template_id');
      const open = restricted.size === 0 ? template : template.where('template.id', 'not in', [...restricted]);
      return eb.or([eb('template_id', '=', templateId), eb.exists(open)]);
    })
    .orderBy('ended', 'desc')
    .orderBy('task_id', 'desc')
    .limit(1)
    .executeTakeFirst();

/** @returns the facts of the host after the run; undefined if they are older than known ones, or too many */
const writeHostFacts = async (
  tx: StateTransaction,
  hostId: number,
  gathered: HostFactValues,
  { taskId: task_id, templateId: template_id, ended }: NotedRun,
  restricted: ReadonlySet<number>,
): Promise<HostFactValues | undefined> => {
  const last = await lastFacts(tx, hostId, template_id, restricted);
  // Runs come in any order, and again after a crash: older facts are not a new version.
  if (last && last.seen_task_id !== task_id && Number(last.seen_ended) >= ended) return undefined;
  const facts = last ? mergedFacts(unpackJson(last.facts), gathered) : gathered;
  if (Buffer.byteLength(JSON.stringify(facts)) > MAX_FACT_BYTES) return undefined;
  const seen = { seen_ended: ended, seen_task_id: task_id, seen_template_id: template_id };
  const digest = digestOf(facts);
  if (last && (last.digest === digest || last.task_id === task_id)) {
    await tx
      .updateTable('host_fact')
      .set(last.digest === digest ? seen : { ...seen, digest, facts: await packJson(facts) })
      .where('host_id', '=', hostId)
      .where('ended', '=', last.ended)
      .where('task_id', '=', last.task_id)
      .execute();
    return facts;
  }
  await tx
    .insertInto('host_fact')
    .values({ host_id: hostId, ended, task_id, template_id, ...seen, digest, facts: await packJson(facts) })
    .execute();
  await keepNewest(tx, 'host_fact', hostId, MAX_VERSIONS);
  return facts;
};

/** Locks the project against a change of the setting. @returns whether the project keeps facts */
const keepsFacts = async (tx: StateTransaction, projectId: number): Promise<boolean> => {
  const { numUpdatedRows } = await tx
    .updateTable('project')
    .set({ collect_facts: 1 })
    .where('id', '=', projectId)
    .where('collect_facts', '=', 1)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

/**
 * Stores the facts that a part of a run noted, if the project keeps facts. They are merged only with facts of the same template
 * and of templates without restrictions, because others could contain what a member must not see.
 */
export const writeFacts = async (
  tx: StateTransaction,
  hosts: Hosts,
  notes: readonly HostNote[],
  run: NotedRun,
  projectId: number,
): Promise<void> => {
  if (!notes.some(({ facts }) => facts) || !(await keepsFacts(tx, projectId))) return;
  const restricted = (await readRules(tx, [projectId])).get(projectId)?.restricted ?? new Set<number>();
  const written = new Map<number, HostFactValues>();
  for (const { host, facts } of notes) {
    const id = hosts.get(host);
    const now = id !== undefined && facts ? await writeHostFacts(tx, id, facts, run, restricted) : undefined;
    if (id !== undefined && now) written.set(id, now);
  }
  await writeFactValues(tx, run.templateId, run.ended, written);
};

/** Stores the groups that a part of a run noted, unless a newer run of the template is known. */
export const writeGroups = async (
  tx: StateTransaction,
  hosts: Hosts,
  notes: readonly HostNote[],
  { templateId, ended }: NotedRun,
): Promise<void> => {
  const written = new Map<number, readonly string[]>();
  for (const { host, groups } of notes) {
    const id = hosts.get(host);
    if (id === undefined || !groups) continue;
    const { numUpdatedRows } = await tx
      .updateTable('host_template')
      .set({ group_names: JSON.stringify(groups) })
      .where('host_id', '=', id)
      .where('template_id', '=', templateId)
      .where('ended', '<=', ended)
      .executeTakeFirst();
    if (numUpdatedRows > 0n) written.set(id, groups);
  }
  await writeGroupNames(tx, templateId, ended, written);
};

/** The columns of the changes of one host. */
interface PackedChanges {
  readonly count: number;
  readonly changes: string;
}

/** Compresses the changes of hosts, before the transaction that stores them. */
export const packChanges = async (
  changes: readonly (readonly [host: string, list: readonly HostNoteChange[]])[],
): Promise<ReadonlyMap<string, PackedChanges>> => {
  const packed = new Map<string, PackedChanges>();
  for (const [host, list] of changes) packed.set(host, { count: list.length, changes: await packJson(list) });
  return packed;
};

/** Stores what a run changed on some hosts. Storing it again changes nothing. */
export const writeChanges = async (
  tx: StateTransaction,
  hosts: Hosts,
  changes: ReadonlyMap<string, PackedChanges>,
  { taskId: task_id, templateId: template_id, ended }: NotedRun,
): Promise<void> => {
  for (const [host, content] of changes) {
    const host_id = hosts.get(host);
    if (host_id === undefined) continue;
    await tx
      .insertInto('host_change')
      .values({ host_id, task_id, template_id, ended, ...content })
      .onConflict((oc) => oc.columns(['host_id', 'ended', 'task_id']).doUpdateSet(content))
      .execute();
    await keepNewest(tx, 'host_change', host_id, MAX_CHANGED_RUNS);
  }
};
