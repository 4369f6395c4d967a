import { NOT_FINAL_STATUSES, type ProvidedEnvironment, type Waiting, type WaitingReason } from '@signalbox/contract';
import { sql } from 'kysely';
import type { LinkedRunner } from '../../bus/linked-runner.ts';
import { type Database, type StateReader, stateOf } from '../../database/database.ts';
import { kindOf, tagsOf } from '../../runner-needs.ts';
import { countsAgainstLimits } from './counted-tasks.ts';
import type { ComparedNames } from './host-numbers.ts';
import { type ExpectedEnd, lockReasons } from './lock-reasons.ts';
import { poolOf } from './project-turn.ts';
import { queuePositions } from './queue-positions.ts';

export interface WaitingDeps {
  readonly database: Database;
  /** Runs of the whole system at once; 0 means no limit. */
  readonly systemLimit: number;
  /** The runners that are connected to this server or to another one. */
  readonly runners: () => readonly Pick<LinkedRunner, 'id' | 'apps' | 'slots' | 'draining'>[];
  /** Whether these are all: other servers report theirs a few seconds after the start of this one. */
  readonly isComplete: () => boolean;
  readonly expectedEnd: ExpectedEnd;
  readonly hostNames: ComparedNames;
}

interface Linked {
  readonly id: number;
  /** Null for a runner that is connected to another server, which has not sent yet what the runner has reported. */
  readonly reported: { readonly apps: readonly string[]; readonly slots: number } | null;
  readonly tags: readonly string[];
  /** The kinds of execution environments that it provides. */
  readonly kinds: readonly string[];
  /** Paused by an admin, or draining. */
  readonly paused: boolean;
  /** The projects of which it takes tasks; null for all. */
  readonly projects: readonly number[] | null;
}

/** The runners that are connected to this server or to another one. */
const linkedRunners = async ({ database, runners, isComplete }: WaitingDeps): Promise<readonly Linked[]> => {
  const rows = await database.read
    .selectFrom('runner')
    .select(['id', 'tags', 'environments', 'connection', 'paused', 'projects_limited'])
    .execute();
  const listed = await database.read.selectFrom('runner_project').selectAll().execute();
  const known = new Map(runners().map((runner) => [runner.id, runner]));
  const areAllKnown = isComplete();
  return rows.flatMap(({ id, tags, environments, connection, paused, projects_limited }): Linked[] => {
    const runner = known.get(id);
    if (runner ? runner.slots === 0 : connection === null || areAllKnown) return [];
    const reported = runner ? { apps: runner.apps.map(({ name }) => name), slots: runner.slots } : null;
    const own = listed.filter(({ runner_id }) => runner_id === id).map(({ project_id }) => project_id);
    const projects = projects_limited === 1 ? own : null;
    const isPaused = paused === 1 || (runner?.draining ?? false);
    const kinds = (JSON.parse(environments) as ProvidedEnvironment[]).map(({ kind }) => kind);
    return [{ id, reported, tags: JSON.parse(tags) as string[], kinds, paused: isPaused, projects }];
  });
};

/** The tasks that count against limits. They are as many as all runners have slots. */
const countedTasks = async (db: StateReader) => {
  const { rows } = await sql<{ id: number; template_id: number; project_id: number; runner_id: number | null }>`
    select other.id, other.template_id, other.project_id, other.runner_id from task other
    where ${countsAgainstLimits('other')}`.execute(stateOf(db));
  return rows;
};

const waitingRows = (db: StateReader, ids: readonly number[]) =>
  db
    .selectFrom('task')
    .innerJoin('template', 'template.id', 'task.template_id')
    .innerJoin('project', 'project.id', 'task.project_id')
    .leftJoin('task as earlier', (join) =>
      join.onRef('earlier.id', '=', 'task.after_task_id').on('earlier.status', 'in', NOT_FINAL_STATUSES),
    )
    .select(['task.id', 'task.app', 'task.runner_tags', 'task.template_id', 'task.project_id'])
    .leftJoin('task_hosts', 'task_hosts.task_id', 'task.id')
    .select(['task.approval_state', 'task.locks', 'task.lock_hosts', 'task_hosts.digest'])
    .select(['template.allow_parallel_tasks', 'project.max_parallel_tasks', 'earlier.id as earlier_id'])
    .select('project.runner_tags as project_tags')
    .where('task.id', 'in', ids)
    .where('task.status', '=', 'waiting')
    .where('task.runner_id', 'is', null)
    .execute();

type Row = Awaited<ReturnType<typeof waitingRows>>[number];

/** The tasks that count against limits. */
interface Counts {
  readonly all: number;
  /** The id of one of the tasks of each template. */
  readonly taskOfTemplate: ReadonlyMap<number, number>;
  /** The number of tasks of each project and runner. */
  readonly projects: ReadonlyMap<number, number>;
  readonly runners: ReadonlyMap<number | null, number>;
}

const countEach = <T>(values: readonly T[]): ReadonlyMap<T, number> => {
  const counts = new Map<T, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
};

interface Situation {
  readonly linked: readonly Linked[];
  readonly counts: Counts;
  /** The locks for which tasks wait, by id of the task. */
  readonly locks: ReadonlyMap<number, WaitingReason>;
  /** The expected end of each task for which others of its template wait, by id. */
  readonly ends: ReadonlyMap<number, string>;
  readonly systemLimit: number;
}

/** Maximum number of tasks whose end one answer computes. */
const MAX_ENDS = 50;

const readSituation = async (
  deps: WaitingDeps,
  rows: readonly Row[],
  hidden: ReadonlySet<number>,
): Promise<Situation> => {
  const counted = await countedTasks(deps.database.read);
  const taskOfTemplate = new Map(counted.map(({ template_id, id }) => [template_id, id]));
  const once = rows.filter(({ allow_parallel_tasks }) => allow_parallel_tasks === 0);
  const busy = new Set(once.flatMap(({ template_id }) => taskOfTemplate.get(template_id) ?? []));
  const ends = new Map<number, string>();
  for (const id of [...busy].slice(0, MAX_ENDS)) ends.set(id, (await deps.expectedEnd(id)) ?? '');
  return {
    linked: await linkedRunners(deps),
    counts: {
      all: counted.length,
      taskOfTemplate,
      projects: countEach(counted.map(({ project_id }) => project_id)),
      runners: countEach(counted.map(({ runner_id }) => runner_id)),
    },
    locks: await lockReasons(
      { db: deps.database.read, hostNames: deps.hostNames, expectedEnd: deps.expectedEnd },
      rows.filter(({ locks, lock_hosts }) => locks !== '[]' || lock_hosts === 1).map(({ id }) => id),
      hidden,
    ),
    ends,
    systemLimit: deps.systemLimit,
  };
};

/** The runners that are left after each condition: app, execution environment, tags, project, not paused. */
const runnersFor = (task: Row, linked: readonly Linked[]) => {
  const withApp = linked.filter(({ reported }) => reported?.apps.includes(task.app) ?? true);
  const kind = kindOf(task.runner_tags);
  const withKind = withApp.filter(({ kinds }) => kind === 'system' || kinds.includes(kind));
  const tags = new Set([...tagsOf(task.runner_tags), ...(JSON.parse(task.project_tags) as string[])]);
  const withTags = withKind.filter((runner) => [...tags].every((tag) => runner.tags.includes(tag)));
  const ofProject = withTags.filter(({ projects }) => projects?.includes(task.project_id) ?? true);
  const able = ofProject.filter(({ paused }) => !paused);
  return { withApp, kind, withKind, tags, withTags, ofProject, able };
};

/** Why no runner takes a task; null if one will, or if it is not known. */
const reasonOf = (task: Row, { linked, counts, locks, ends, systemLimit }: Situation): WaitingReason | null => {
  if (task.approval_state === 'pending') return { code: 'approval', params: {} };
  if (linked.length === 0) return { code: 'no_runner', params: {} };
  const { withApp, kind, withKind, tags, withTags, ofProject, able } = runnersFor(task, linked);
  if (withApp.length === 0) return { code: 'no_runner_with_app', params: { app: task.app } };
  if (withKind.length === 0) return { code: 'no_runner_with_environment', params: { kind } };
  if (withTags.length === 0) return { code: 'no_runner_with_tags', params: { tags: [...tags].sort().join(', ') } };
  if (ofProject.length === 0) return { code: 'no_runner_for_project', params: {} };
  if (able.length === 0) return { code: 'runners_paused', params: {} };
  if (task.earlier_id !== null) return { code: 'earlier_task', params: { id: task.earlier_id } };
  const other = counts.taskOfTemplate.get(task.template_id);
  if (task.allow_parallel_tasks === 0 && other !== undefined)
    return { code: 'template_busy', params: { id: other, expected_end: ends.get(other) ?? '' } };
  if (task.digest === '') return { code: 'hosts_unknown', params: {} };
  const lock = locks.get(task.id);
  if (lock) return lock;
  const limit = task.max_parallel_tasks;
  if (limit > 0 && (counts.projects.get(task.project_id) ?? 0) >= limit)
    return { code: 'project_limit', params: { limit } };
  if (systemLimit > 0 && counts.all >= systemLimit) return { code: 'system_limit', params: { limit: systemLimit } };
  const isBusy = ({ id, reported }: Linked): boolean =>
    reported !== null && (counts.runners.get(id) ?? 0) >= reported.slots;
  return able.every(isBusy) ? { code: 'runners_busy', params: {} } : null;
};

/** The pool of a runner that takes a task. */
const poolFor = (task: Row, { linked }: Situation): string => {
  const [able] = runnersFor(task, linked).able;
  return poolOf({ id: able?.id ?? 0, tags: able?.tags ?? [], isLimited: able?.projects != null });
};

/** Maximum number of different queues of which one answer counts the positions. */
const MAX_QUEUES = 20;

/** Returns the function that reads why tasks wait, by id. It leaves out tasks that do not wait. */
export const waitingReader =
  (deps: WaitingDeps) =>
  async (ids: readonly number[], hidden: ReadonlySet<number>): Promise<ReadonlyMap<number, Waiting>> => {
    const { read } = deps.database;
    const rows = ids.length === 0 ? [] : await waitingRows(read, ids);
    if (rows.length === 0) return new Map();
    const situation = await readSituation(deps, rows, hidden);
    const queues = new Map(rows.map((row) => [`${row.app} ${row.runner_tags}`, row]));
    const positions = new Map<number, number>();
    for (const queue of [...queues.values()].slice(0, MAX_QUEUES))
      for (const [id, position] of await queuePositions(read, { ...queue, pool: poolFor(queue, situation) }))
        positions.set(id, position);
    return new Map(
      rows.map((row) => [
        row.id,
        { waiting_reason: reasonOf(row, situation), queue_position: positions.get(row.id) ?? null },
      ]),
    );
  };

/** Only admins use this reader, so no template is hidden. */
const NONE_HIDDEN: ReadonlySet<number> = new Set();

/** Returns the function that reads only the reasons why tasks wait, by id. It leaves out tasks that do not wait. */
export const reasonReader =
  (deps: WaitingDeps) =>
  async (ids: readonly number[]): Promise<ReadonlyMap<number, WaitingReason | null>> => {
    const rows = await waitingRows(deps.database.read, ids);
    const situation = await readSituation(deps, rows, NONE_HIDDEN);
    return new Map(rows.map((row) => [row.id, reasonOf(row, situation)]));
  };
