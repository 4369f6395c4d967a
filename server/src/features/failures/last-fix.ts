import type { HostRun } from '@signalbox/contract';
import { sql } from 'kysely';
import type { StateReader } from '../../database/database.ts';
import type { RunCluster } from '../../failures/cluster.ts';
import { isCountedRun } from './counted-runs.ts';

/** Tasks with the failure, and later tasks of their template, that are searched. */
const OCCURRENCES = 10;
const LATER_TASKS = 100;

interface FailureOfTemplate {
  readonly id: number;
  readonly template_id: number;
}

interface Occurrence {
  readonly failure_id: number;
  readonly task_id: number;
}

/** Numbers rows from the newest one. */
const newestFirst = (of: string, by: string) =>
  sql<number>`row_number() over (partition by ${sql.ref(of)} order by ${sql.ref(by)} desc)`;

/** The last tasks with each failure, the newest first. */
const occurrencesOf = async (db: StateReader, failures: readonly FailureOfTemplate[]): Promise<Occurrence[]> =>
  await db
    .selectFrom(
      db
        .selectFrom('task_failure')
        .innerJoin('task', 'task.id', 'task_failure.task_id')
        .select(['failure_id', 'task_id', newestFirst('failure_id', 'task_id').as('nth')])
        .where(({ eb, or, and }) =>
          or(
            failures.map(({ id, template_id }) =>
              and([eb('failure_id', '=', id), eb('task_failure.template_id', '=', template_id)]),
            ),
          ),
        )
        .where(isCountedRun('task'))
        .as('o'),
    )
    .select(['failure_id', 'task_id'])
    .where('nth', '<=', OCCURRENCES)
    .orderBy('task_id', 'desc')
    .execute();

/** The last tasks of a template that count, if they are later than a task. */
const laterTasks = async (db: StateReader, templateId: number, than: number): Promise<number[]> => {
  const rows = await db
    .selectFrom('task')
    .select('id')
    .where('template_id', '=', templateId)
    .where('id', '>', than)
    .where(isCountedRun('task'))
    .orderBy('id', 'desc')
    .limit(LATER_TASKS)
    .execute();
  return rows.map(({ id }) => id);
};

/** The first hosts of each occurrence, in the order of the occurrences. */
const hostsOf = async (db: StateReader, occurrences: readonly Occurrence[]): Promise<string[][]> => {
  const rows = await db
    .selectFrom('task_failure')
    .select(['task_id', 'failure_id', 'cluster'])
    .where(({ eb, or, and }) =>
      or(occurrences.map((one) => and([eb('task_id', '=', one.task_id), eb('failure_id', '=', one.failure_id)]))),
    )
    .execute();
  const hosts = new Map(
    rows.map((row) => [`${row.task_id} ${row.failure_id}`, (JSON.parse(row.cluster) as RunCluster).first_hosts]),
  );
  return occurrences.map(({ task_id, failure_id }) => [...(hosts.get(`${task_id} ${failure_id}`) ?? [])]);
};

/** The tasks that ran on each of the hosts, as far as the host history goes back. */
const tasksOf = async (
  db: StateReader,
  projectId: number,
  hosts: readonly string[],
): Promise<ReadonlyMap<string, readonly number[]>> => {
  const rows = await db
    .selectFrom('host')
    .select(['host', 'runs'])
    .where('project_id', '=', projectId)
    .where('host', 'in', ['', ...new Set(hosts)])
    .execute();
  return new Map(
    rows.map(({ host, runs }) => [host, (JSON.parse(runs) as HostRun[]).flatMap(({ task_id }) => task_id ?? [])]),
  );
};

/** A failure with its occurrences that have later tasks without it. */
interface Open {
  readonly id: number;
  readonly candidates: readonly number[];
  readonly occurrences: readonly Occurrence[];
}

const findOpen = async (db: StateReader, failures: readonly FailureOfTemplate[]): Promise<Open[]> => {
  const occurrences = Map.groupBy(await occurrencesOf(db, failures), ({ failure_id }) => failure_id);
  const oldestOf = ({ id }: FailureOfTemplate): number | undefined => occurrences.get(id)?.at(-1)?.task_id;
  const later = new Map<number, number[]>();
  for (const [templateId, own] of Map.groupBy(failures, ({ template_id }) => template_id)) {
    const oldest = own.flatMap((failure) => oldestOf(failure) ?? []);
    if (oldest.length > 0) later.set(templateId, await laterTasks(db, templateId, Math.min(...oldest)));
  }
  return failures.flatMap(({ id, template_id }): Open[] => {
    const own = occurrences.get(id) ?? [];
    const withIt = new Set(own.map(({ task_id }) => task_id));
    const candidates = (later.get(template_id) ?? []).filter((task) => !withIt.has(task));
    const open = own.filter(({ task_id }) => candidates.some((task) => task > task_id));
    return open.length > 0 ? [{ id, candidates, occurrences: open }] : [];
  });
};

/** For each failure the task that ended it last: the first one that ran on a host of the failure without it. */
export const lastFixes = async (
  db: StateReader,
  { projectId }: { readonly projectId: number },
  failures: readonly FailureOfTemplate[],
): Promise<ReadonlyMap<number, number>> => {
  const fixes = new Map<number, number>();
  let open = failures.length > 0 ? await findOpen(db, failures) : [];
  // Most failures are decided by their last occurrence.
  for (let nth = 0; open.length > 0; nth++) {
    const asked = open.flatMap(({ occurrences }) => occurrences[nth] ?? []);
    const hosts = await hostsOf(db, asked);
    const ran = await tasksOf(db, projectId, hosts.flat());
    for (const [at, { failure_id, task_id }] of asked.entries()) {
      const tasks = new Set(hosts[at]?.flatMap((host) => ran.get(host) ?? []));
      const { candidates = [] } = open.find(({ id }) => id === failure_id) ?? {};
      const fixing = candidates.filter((task) => task > task_id && tasks.has(task));
      if (fixing.length > 0) fixes.set(failure_id, Math.min(...fixing));
    }
    open = open.filter(({ id, occurrences }) => !fixes.has(id) && occurrences.length > nth + 1);
  }
  return fixes;
};
