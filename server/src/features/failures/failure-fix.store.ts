import type { RunHosts } from '@signalbox/contract';
import type { Database, StateReader } from '../../database/database.ts';
import { openFailures } from '../../failures/may-fix.ts';
import { isCountedRun } from './counted-runs.ts';
import { decodeHostLines } from './host-lines.ts';

export interface FixDeps {
  readonly database: Database;
  /** Returns the hosts of a run by name. */
  readonly runHosts: (taskId: number, first: number, limit: number) => Promise<Pick<RunHosts, 'hosts'>>;
}

/** An occurrence of a failure that a later run may have ended. */
interface Occurrence {
  readonly failure_id: number;
  readonly template_id: number;
  readonly task_id: number;
}

interface Fix extends Occurrence {
  readonly fixed_by: number;
}

/** Hosts per page, and failures whose hosts are read between other work. */
const PAGE = 1000;
const CHUNK = 20;

interface Run {
  readonly templateId: number;
  readonly taskId: number;
  /** Only these failures count. Undefined for all. */
  readonly failures?: ReadonlySet<number>;
}

/** The failures of a template that a run does not have and may have ended, each with its last occurrence before the run. */
const findOccurrences = async (db: StateReader, { templateId, taskId, failures }: Run): Promise<Occurrence[]> => {
  const rows = await openFailures(db, templateId, taskId)
    .select(['failure_id', 'template_id', 'last_task_id'])
    .$if(failures !== undefined, (query) => query.where('failure_id', 'in', [0, ...(failures ?? [])]))
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('task_failure as own')
            .select('own.task_id')
            .where('own.task_id', '=', taskId)
            .whereRef('own.failure_id', '=', 'l.failure_id'),
        ),
      ),
    )
    .execute();
  const found: Occurrence[] = [];
  for (const { failure_id, template_id, last_task_id } of rows) {
    const last = last_task_id < taskId ? last_task_id : await occurrenceBefore(db, { failure_id, template_id }, taskId);
    if (last !== undefined) found.push({ failure_id, template_id, task_id: last });
  }
  return found;
};

const occurrenceBefore = async (
  db: StateReader,
  { failure_id, template_id }: Omit<Occurrence, 'task_id'>,
  taskId: number,
): Promise<number | undefined> => {
  const row = await db
    .selectFrom('task_failure')
    .innerJoin('task', 'task.id', 'task_failure.task_id')
    .select('task_failure.task_id')
    .where('failure_id', '=', failure_id)
    .where('task_failure.template_id', '=', template_id)
    .where('task_failure.task_id', '<', taskId)
    .where(isCountedRun('task'))
    .orderBy('task_failure.task_id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.task_id;
};

/** The hosts of an occurrence, or of the last one before it whose task still exists. Undefined if there is none. */
const hostsOf = async (db: StateReader, occurrence: Occurrence): Promise<string[] | undefined> => {
  const row = await db
    .selectFrom('task_failure')
    .select('host_lines')
    .where('failure_id', '=', occurrence.failure_id)
    .where('template_id', '=', occurrence.template_id)
    .where('task_id', '<=', occurrence.task_id)
    .orderBy('task_id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row && decodeHostLines(row.host_lines).map(([host]) => host);
};

/** The names of the hosts that a run reached. */
const reachedHosts = async ({ runHosts }: FixDeps, taskId: number): Promise<ReadonlySet<string>> => {
  const reached = new Set<string>();
  for (let first = 1; ; first += PAGE) {
    const { hosts } = await runHosts(taskId, first, PAGE);
    for (const { host, unreachable } of hosts) if (unreachable === 0) reached.add(host);
    if (hosts.length < PAGE) return reached;
  }
};

/** The failures that a run has ended: it reached one of their hosts, or any if theirs are no longer known, without them. */
const findFixes = async (deps: FixDeps, run: Run): Promise<Fix[]> => {
  const { read } = deps.database;
  const occurrences = await findOccurrences(read, run);
  if (occurrences.length === 0) return [];
  const reached = await reachedHosts(deps, run.taskId);
  const fixes: Fix[] = [];
  for (const [at, occurrence] of occurrences.entries()) {
    if (at % CHUNK === CHUNK - 1) await new Promise(setImmediate);
    const hosts = await hostsOf(read, occurrence);
    if (hosts === undefined ? reached.size > 0 : hosts.some((host) => reached.has(host)))
      fixes.push({ ...occurrence, fixed_by: run.taskId });
  }
  return fixes;
};

/** Stores what a run has fixed. Keeps a stored fix that is earlier, or that belongs to a later occurrence. */
const storeFixesOf = async (deps: FixDeps, run: Run): Promise<Fix[]> => {
  const fixes = await findFixes(deps, run);
  if (fixes.length === 0) return [];
  await deps.database.write(async (tx) => {
    for (const { failure_id, template_id, task_id, fixed_by } of fixes)
      await tx
        .updateTable('failure_template')
        .set({ fixed_by })
        .where('failure_id', '=', failure_id)
        .where('template_id', '=', template_id)
        .where((eb) =>
          eb.or([
            eb('fixed_by', 'is', null),
            eb('fixed_by', '<', task_id),
            eb.and([eb('fixed_by', '>', fixed_by), eb('last_task_id', '=', task_id)]),
          ]),
        )
        .execute();
  });
  return fixes;
};

/** Stores which of the failures of a run later runs have fixed: runs can end in another order than they were started in. */
const storeLaterFixes = async (deps: FixDeps, templateId: number, taskId: number): Promise<void> => {
  const { read } = deps.database;
  const own = await read.selectFrom('task_failure').select('failure_id').where('task_id', '=', taskId).execute();
  const failures = new Set(own.map(({ failure_id }) => failure_id));
  for (let after = taskId; failures.size > 0; ) {
    const next = await read
      .selectFrom('task')
      .select('id')
      .where('template_id', '=', templateId)
      .where('id', '>', after)
      .where(isCountedRun('task'))
      .orderBy('id')
      .limit(1)
      .executeTakeFirst();
    if (!next) return;
    after = next.id;
    const fixes = await storeFixesOf(deps, { templateId, taskId: after, failures });
    for (const { failure_id } of fixes) failures.delete(failure_id);
  }
};

/** Stores which failures of its template an ended run has fixed. Storing a run again changes nothing. */
export const storeFixes = async (deps: FixDeps, taskId: number): Promise<void> => {
  const task = await deps.database.read
    .selectFrom('task')
    .select('template_id')
    .where('id', '=', taskId)
    .where(isCountedRun('task'))
    .executeTakeFirst();
  if (!task) return;
  await storeFixesOf(deps, { templateId: task.template_id, taskId });
  await storeLaterFixes(deps, task.template_id, taskId);
};
