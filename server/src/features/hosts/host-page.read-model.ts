import type { HostFailure, HostPage, HostRuns, HostTemplate, HostTemplateRun } from '@signalbox/contract';
import type { Selectable } from 'kysely';
import type { StateReader } from '../../database/database.ts';
import type { HostTemplateTable } from '../../database/host.schema.ts';
import { daysUntil, outcomeOf, type PastRun, pastOf } from './host-template.ts';

type Row = Selectable<HostTemplateTable>;

interface ExistingTask {
  /** When it ended, in milliseconds. */
  readonly ended: number;
  readonly inventory: number | null;
  readonly hasLog: boolean;
}

/** Tasks that exist, by their ids. */
type Tasks = ReadonlyMap<number, ExistingTask>;

/** Ids per query. */
const IDS = 500;

/** The templates of a host that the caller may see, the last run first. */
export const readTemplates = async (db: StateReader, hostId: number, hidden: ReadonlySet<number>): Promise<Row[]> => {
  const rows = await db
    .selectFrom('host_template')
    .selectAll()
    .where('host_id', '=', hostId)
    .orderBy('ended', 'desc')
    .orderBy('template_id')
    .execute();
  return rows
    .filter(({ template_id }) => !hidden.has(template_id))
    .map((row) => ({ ...row, ended: Number(row.ended) }));
};

const readTasks = async (db: StateReader, ids: readonly number[]): Promise<Tasks> => {
  const tasks = new Map<number, ExistingTask>();
  for (let at = 0; at < ids.length; at += IDS) {
    const rows = await db
      .selectFrom('task')
      .innerJoin('template', 'template.id', 'task.template_id')
      .select(['task.id', 'task.end_time', 'task.inventory_id', 'log_removed', 'template.inventory_id as usual'])
      .where('task.id', 'in', ids.slice(at, at + IDS))
      .execute();
    for (const row of rows)
      if (row.end_time !== null)
        tasks.set(row.id, {
          ended: Date.parse(row.end_time),
          inventory: row.inventory_id ?? row.usual,
          hasLog: row.log_removed === 0,
        });
  }
  return tasks;
};

/** Older databases may have reused the id of a deleted task: a task with another end time is another one. */
const idOf = (tasks: Tasks, id: number, ended: number): number | null => (tasks.get(id)?.ended === ended ? id : null);

const readInventories = async (db: StateReader, tasks: Tasks): Promise<HostPage['inventories']> => {
  const ids = [...new Set([...tasks.values()].flatMap(({ inventory }) => inventory ?? []))];
  if (ids.length === 0) return [];
  return await db.selectFrom('inventory').select(['id', 'name']).where('id', 'in', ids).orderBy('name').execute();
};

const reached = (run: PastRun): boolean => outcomeOf(run) !== 'unreachable';

/** What the page of a host shows in addition to its history. */
export const readHostPage = async (
  db: StateReader,
  rows: readonly Row[],
  now: Date,
): Promise<Pick<HostPage, 'last_contact' | 'templates' | 'inventories' | 'run_count' | 'failure_count'>> => {
  const tasks = await readTasks(
    db,
    rows.map(({ task_id }) => task_id),
  );
  const runs = rows.map(pastOf);
  const templates = rows.map((row, at): HostTemplate => {
    const [last] = runs[at] ?? [];
    return {
      template_id: row.template_id,
      task_id: idOf(tasks, row.task_id, row.ended),
      time: new Date(row.ended).toISOString(),
      outcome: row.outcome,
      changed: last?.[2][1] ?? 0,
      cause: row.cause,
      title: row.title,
      line: last?.[5] ?? 0,
      runs: row.runs,
      days: daysUntil(row, now.getTime()),
    };
  });
  const contacts = runs.flat().flatMap((run) => (reached(run) ? run[1] : []));
  return {
    templates,
    last_contact: contacts.length === 0 ? null : new Date(contacts.reduce((a, b) => Math.max(a, b))).toISOString(),
    inventories: await readInventories(db, tasks),
    run_count: rows.reduce((sum, row) => sum + row.runs, 0),
    failure_count: new Set(runs.flat().flatMap((run) => run[4] ?? [])).size,
  };
};

const runOf = (templateId: number, run: PastRun, tasks: Tasks): HostTemplateRun => {
  const [task, ended, [ok, changed, failures, ignored, skipped, rescued, unreachable]] = run;
  const stats = { ok, changed, failures, ignored, skipped, rescued, unreachable };
  const at = { time: new Date(ended).toISOString(), task_id: idOf(tasks, task, ended) };
  return { ...at, ...stats, template_id: templateId, outcome: outcomeOf(run) };
};

const newestFirst = (rows: readonly Row[]): { template: number; run: PastRun }[] =>
  rows
    .flatMap((row) => pastOf(row).map((run) => ({ template: row.template_id, run })))
    .sort((a, b) => b.run[1] - a.run[1] || b.run[0] - a.run[0]);

/** A page of the kept runs on a host, the newest first. */
export const readHostRuns = async (
  db: StateReader,
  rows: readonly Row[],
  { first, limit }: { readonly first: number; readonly limit: number },
): Promise<HostRuns> => {
  const all = newestFirst(rows);
  const page = all.slice(first - 1, first - 1 + limit);
  const tasks = await readTasks(
    db,
    page.map(({ run }) => run[0]),
  );
  return { first, total: all.length, runs: page.map(({ template, run }) => runOf(template, run, tasks)) };
};

/** How often a host had each failure, by fingerprint, the last seen first. */
export const readHostFailures = async (
  db: StateReader,
  rows: readonly Row[],
): Promise<ReadonlyMap<string, Omit<HostFailure, 'failure'>>> => {
  const seen = new Map<string, { runs: number; last: PastRun }>();
  for (const { run } of newestFirst(rows)) {
    const fingerprint = run[4];
    if (fingerprint === undefined) continue;
    const known = seen.get(fingerprint);
    if (known) known.runs += 1;
    else seen.set(fingerprint, { runs: 1, last: run });
  }
  const tasks = await readTasks(
    db,
    [...seen.values()].map(({ last }) => last[0]),
  );
  return new Map(
    [...seen].map(
      ([
        fingerprint,
        {
          runs,
          last: [task, ended, , , , line = 0],
        },
      ]) => [
        fingerprint,
        {
          runs,
          time: new Date(ended).toISOString(),
          task_id: idOf(tasks, task, ended),
          line: tasks.get(task)?.hasLog ? line : 0,
        },
      ],
    ),
  );
};
