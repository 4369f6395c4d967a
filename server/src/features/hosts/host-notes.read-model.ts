import type { HostChange, HostChanges, HostFacts, HostPage } from '@signalbox/contract';
import { type ExpressionBuilder, expressionBuilder, type Selectable } from 'kysely';
import type { StateReader } from '../../database/database.ts';
import type { HostFactTable } from '../../database/host.schema.ts';
import type { StateSchema } from '../../database/schema.ts';
import type { HostNoteChange } from '../../logs/results/host-notes.ts';
import { unpackJson } from './packed.ts';

/** Most bytes of the facts of all versions in one answer. */
const MAX_BYTES = 1024 * 1024;

type Hidden = ReadonlySet<number>;

const existing = async (
  db: StateReader,
  table: 'task' | 'template',
  ids: readonly number[],
): Promise<ReadonlySet<number>> => {
  const rows = await db
    .selectFrom(table)
    .select('id')
    .where('id', 'in', [0, ...ids])
    .execute();
  return new Set(rows.map(({ id }) => id));
};

/** Those of some tasks whose log was not removed. */
const tasksWithLog = async (db: StateReader, ids: readonly number[]): Promise<ReadonlySet<number>> => {
  const rows = await db
    .selectFrom('task')
    .select('id')
    .where('id', 'in', [0, ...ids])
    .where('log_removed', '=', 0)
    .execute();
  return new Set(rows.map(({ id }) => id));
};

/** Templates that the caller may see. What a deleted template noted is shown to no one: it may have been hidden. */
const visible = (eb: ExpressionBuilder<StateSchema, never>, hidden: Hidden) =>
  eb
    .selectFrom('template')
    .select('template.id')
    .$if(hidden.size > 0, (query) => query.where('template.id', 'not in', [...hidden]));

/** Versions of the facts that the caller may see, the newest first. */
const factRows = async (db: StateReader, hostId: number, hidden: Hidden, limit: number) => {
  const rows = await db
    .selectFrom('host_fact')
    .selectAll()
    .where('host_id', '=', hostId)
    .where((eb) => {
      const templates = visible(expressionBuilder<StateSchema>(), hidden);
      return eb.or([eb('template_id', 'in', templates), eb('seen_template_id', 'in', templates)]);
    })
    .orderBy('ended', 'desc')
    .limit(limit)
    .execute();
  return rows;
};

type Ids = ReadonlySet<number>;

const versionOf = (row: Selectable<HostFactTable>, templates: Ids, tasks: Ids): HostFacts => {
  const first = { ended: Number(row.ended), task: row.task_id, isHidden: !templates.has(row.template_id) };
  const last = {
    ended: Number(row.seen_ended),
    task: row.seen_task_id,
    isHidden: !templates.has(row.seen_template_id),
  };
  // The time of a hidden run is not shown either.
  const [since, time] = [first.isHidden ? last : first, last.isHidden ? first : last];
  return {
    since: new Date(since.ended).toISOString(),
    since_task_id: tasks.has(since.task) ? since.task : null,
    time: new Date(time.ended).toISOString(),
    task_id: tasks.has(time.task) ? time.task : null,
    facts: unpackJson(row.facts),
  };
};

const readVersions = async (db: StateReader, hostId: number, hidden: Hidden, limit: number): Promise<HostFacts[]> => {
  const rows = await factRows(db, hostId, hidden, limit);
  const tasks = await existing(
    db,
    'task',
    rows.flatMap((row) => [row.task_id, row.seen_task_id]),
  );
  const templates = await existing(
    db,
    'template',
    rows.flatMap((row) => [row.template_id, row.seen_template_id]),
  );
  const shown = new Set([...templates].filter((id) => !hidden.has(id)));
  return rows.map((row) => versionOf(row, shown, tasks));
};

/** The versions of the facts of a host, the newest first. */
export const readFactVersions = async (db: StateReader, hostId: number, hidden: Hidden): Promise<HostFacts[]> => {
  let bytes = 0;
  return (await readVersions(db, hostId, hidden, 50)).filter(({ facts }, at) => {
    bytes += Buffer.byteLength(JSON.stringify(facts));
    return at === 0 || bytes <= MAX_BYTES;
  });
};

const changeRows = (db: StateReader, hostId: number, hidden: Hidden) =>
  db
    .selectFrom('host_change')
    .where('host_id', '=', hostId)
    .where('template_id', 'in', visible(expressionBuilder<StateSchema>(), hidden));

/** Groups, the newest facts, and the number of changes of a host. */
export const readNoted = async (
  db: StateReader,
  hostId: number,
  hidden: Hidden,
): Promise<Pick<HostPage, 'groups' | 'facts' | 'change_count'>> => {
  const row = await db
    .selectFrom('host_template')
    .select('group_names')
    .where('host_id', '=', hostId)
    .where('group_names', 'is not', null)
    .$if(hidden.size > 0, (query) => query.where('template_id', 'not in', [...hidden]))
    .orderBy('ended', 'desc')
    .orderBy('template_id', 'desc')
    .limit(1)
    .executeTakeFirst();
  const [facts = null] = await readVersions(db, hostId, hidden, 1);
  const { count } = await changeRows(db, hostId, hidden)
    .select((eb) => eb.fn.sum('count').as('count'))
    .executeTakeFirstOrThrow();
  return { groups: JSON.parse(row?.group_names ?? '[]') as string[], facts, change_count: Number(count ?? 0) };
};

/** A page of what the last runs changed on a host, the newest run first. */
export const readHostChanges = async (
  db: StateReader,
  hostId: number,
  hidden: Hidden,
  { first, limit }: { readonly first: number; readonly limit: number },
): Promise<HostChanges> => {
  const counted = await changeRows(db, hostId, hidden)
    .select(['task_id', 'ended', 'count'])
    .orderBy('ended', 'desc')
    .execute();
  const changes: HostChange[] = [];
  let skipped = first - 1;
  for (const { task_id, ended, count } of counted) {
    if (skipped >= count) {
      skipped -= count;
      continue;
    }
    if (changes.length >= limit) break;
    const row = await changeRows(db, hostId, hidden)
      .select(['template_id', 'changes'])
      .where('ended', '=', ended)
      .where('task_id', '=', task_id)
      .executeTakeFirst();
    const list = row ? unpackJson<HostNoteChange[]>(row.changes) : [];
    const at = { template_id: row?.template_id ?? 0, task_id, time: new Date(Number(ended)).toISOString() };
    changes.push(...list.slice(skipped, skipped + limit - changes.length).map((change) => ({ ...at, ...change })));
    skipped = 0;
  }
  const tasks = await existing(
    db,
    'task',
    changes.flatMap(({ task_id }) => task_id ?? []),
  );
  const logs = await tasksWithLog(db, [...tasks]);
  return {
    first,
    total: counted.reduce((sum, { count }) => sum + count, 0),
    changes: changes.map((change): HostChange => {
      const id = change.task_id ?? 0;
      return { ...change, task_id: tasks.has(id) ? id : null, line: logs.has(id) ? change.line : 0 };
    }),
  };
};
