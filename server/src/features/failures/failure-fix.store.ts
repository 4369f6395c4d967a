import type { Database, StateReader } from '../../database/database.ts';
import { isUnfixed } from '../../failures/may-fix.ts';
import { isCountedRun } from './counted-runs.ts';
import { decodeHosts, encodeHosts } from './host-lines.ts';
import { readOpenHosts, vanishedHosts } from './open-hosts.ts';
import { passesIn, type ResultsDeps, type RunResults, readResults } from './run-results.ts';

export interface FixDeps extends ResultsDeps {
  readonly database: Database;
}

/** Later runs that are considered if a run ends after them. */
const LATER = 20;
/** Failures that are handled between other work. */
const CHUNK = 10;

/** A run that counts, and the next ones of its template that have ended before it. */
const findRuns = async (db: StateReader, taskId: number) => {
  const columns = ['id', 'template_id', 'project_id', 'status', 'tags', 'skip_tags'] as const;
  const counted = db.selectFrom('task').select(columns).where(isCountedRun('task'));
  const run = await counted.where('id', '=', taskId).executeTakeFirst();
  if (!run) return [];
  const later = counted.where('template_id', '=', run.template_id).where('id', '>', taskId);
  return [run, ...(await later.orderBy('id').limit(LATER).execute())];
};

/** The failures of a template that are not fixed. */
const findUnfixed = (db: StateReader, templateId: number) =>
  db
    .selectFrom('failure_template as l')
    .innerJoin('failure as f', 'f.id', 'l.failure_id')
    .leftJoin('task as t', 't.id', 'l.last_task_id')
    .select(['l.failure_id', 'l.template_id', 'l.step', 'f.action', 'f.result', 't.tags', 't.skip_tags'])
    .where('l.template_id', '=', templateId)
    .where(isUnfixed('l'))
    .execute();

type Unfixed = Awaited<ReturnType<typeof findUnfixed>>[number];

/** The hosts that have a failure in runs, by the id of the run. */
const findFailedHosts = async (
  db: StateReader,
  failureId: number,
  runs: readonly { readonly id: number }[],
): Promise<ReadonlyMap<number, ReadonlySet<string>>> => {
  const ids = runs.map(({ id }) => id);
  const rows = await db
    .selectFrom('task_failure')
    .select(['task_id', 'host_lines'])
    .where('failure_id', '=', failureId)
    .where('task_id', 'in', ids)
    .execute();
  return new Map(rows.map(({ task_id, host_lines }) => [task_id, new Set(decodeHosts(host_lines))]));
};

interface Run {
  readonly id: number;
  readonly project_id: number;
  readonly results: RunResults;
}

interface Change {
  readonly failure: Unfixed;
  readonly open: readonly string[];
  /** The last run that changed it. */
  readonly by: number;
}

/** How runs, in their order, changed the hosts on which a failure is not fixed. Undefined if they did not. */
const changeOf = async (db: StateReader, runs: readonly Run[], failure: Unfixed): Promise<Change | undefined> => {
  const before = await readOpenHosts(db, failure);
  const first = runs[0] as Run;
  // Without the task that had it, any successful run counts.
  if (before === undefined)
    return first.results.status === 'success' && first.results.hosts.size > 0
      ? { failure, open: [], by: first.id }
      : undefined;
  const failedHosts = await findFailedHosts(db, failure.failure_id, runs);
  const { tags, skip_tags } = failure;
  const lastTags = tags === null ? undefined : JSON.stringify([tags, skip_tags]);
  const fixes = new Map<string, number>();
  for (const { id, results } of runs) {
    const passes = passesIn(results, failure, lastTags);
    for (const host of before)
      if (failedHosts.get(id)?.has(host)) fixes.delete(host);
      else if (passes(host)) fixes.set(host, id);
  }
  const left = before.filter((host) => !fixes.has(host));
  const absent = left.filter((host) => runs.every(({ results }) => !results.hosts.has(host)));
  const vanished = await vanishedHosts(db, first.project_id, absent);
  const open = left.filter((host) => !vanished.has(host));
  return open.length < before.length ? { failure, open, by: Math.max(first.id, ...fixes.values()) } : undefined;
};

/**
 * Stores on which hosts an ended run has fixed failures of its template. Storing a run again changes nothing.
 * @returns whether it fixed any
 */
export const storeFixes = async (deps: FixDeps, taskId: number): Promise<boolean> => {
  const { read } = deps.database;
  const [run, ...later] = await findRuns(read, taskId);
  if (!run) return false;
  const unfixed = await findUnfixed(read, run.template_id);
  if (unfixed.length === 0) return false;
  const runs: Run[] = [];
  for (const one of [run, ...later]) runs.push({ ...one, results: await readResults(deps, one) });
  const changes: Change[] = [];
  for (const [at, failure] of unfixed.entries()) {
    if (at % CHUNK === CHUNK - 1) await new Promise(setImmediate);
    const change = await changeOf(read, runs, failure);
    if (change) changes.push(change);
  }
  if (changes.length === 0) return false;
  await deps.database.write(async (tx) => {
    for (const { failure, open, by } of changes)
      await tx
        .updateTable('failure_template')
        .set({ open_hosts: encodeHosts(open), open_count: open.length, ...(open.length === 0 ? { fixed_by: by } : {}) })
        .where('failure_id', '=', failure.failure_id)
        .where('template_id', '=', failure.template_id)
        .execute();
  });
  return true;
};
