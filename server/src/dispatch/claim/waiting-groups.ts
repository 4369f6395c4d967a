import {
  MAX_EXACT_REASONS,
  MAX_QUEUE_GROUPS,
  type Queue,
  type QueueGroup,
  type WaitingReason,
} from '@signalbox/contract';
import { sql } from 'kysely';
import { type Database, type StateReader, stateOf } from '../../database/database.ts';
import { kindOf, tagsOf } from '../../runner-needs.ts';
import { countsAgainstLimits } from './counted-tasks.ts';
import { UNCLAIMED } from './waiting-needs.ts';
import { reasonReader, type WaitingDeps } from './waiting-tasks.ts';

/** Maximum number of templates with waiting tasks that one answer reads. */
const MAX_TEMPLATES = 5000;

/** The waiting tasks of one template with the same needs. */
interface TemplateQueue {
  readonly app: string;
  /** The kind of the execution environments of its tasks. */
  readonly kind: string;
  /** The tags of its tasks and of its project, as a sorted JSON list. */
  readonly runner_tags: string;
  readonly count: number;
  /** Id of the oldest. */
  readonly first: number;
}

/** An admin may confine a project to runner tags, which its tasks need in addition to their own. */
const allTags = (ofTasks: string, ofProject: string): string => {
  const tags = [ofTasks, ofProject].flatMap(tagsOf);
  return JSON.stringify([...new Set(tags)].toSorted());
};

interface ReadQueues {
  readonly queues: readonly TemplateQueue[];
  /** Number of all waiting tasks, and of those that a runner is about to get. */
  readonly waiting: number;
  readonly leased: number;
}

/** One statement, so that the numbers belong together. It reads only indexes. */
const readQueues = async (db: StateReader): Promise<ReadQueues> => {
  const { rows } = await sql<
    Omit<TemplateQueue, 'kind'> & { kind: 'queue' | 'waiting' | 'leased'; project_tags: string }
  >`
    select 'queue' as kind, queues.app, queues.runner_tags, project.runner_tags as project_tags, queues.count, queues.first
    from (
      select waiting.app, waiting.runner_tags, waiting.template_id, count(*) as count, min(waiting.id) as first
      from task waiting
      where ${UNCLAIMED} group by waiting.app, waiting.runner_tags, waiting.template_id
      order by waiting.app, waiting.runner_tags, waiting.template_id limit ${MAX_TEMPLATES}
    ) queues
    join template on template.id = queues.template_id join project on project.id = template.project_id
    union all select 'waiting', '', '', '', count(*), 0 from task where task.status = 'waiting'
    union all select 'leased', '', '', '', sum(case when other.status = 'waiting' then 1 else 0 end), 0 from task other
      where ${countsAgainstLimits('other')}`.execute(stateOf(db));
  const numberOf = (wanted: string): number => Number(rows.find(({ kind }) => kind === wanted)?.count ?? 0);
  return {
    queues: rows
      .filter(({ kind }) => kind === 'queue')
      .map(({ app, runner_tags, project_tags, count, first }) => ({
        app,
        kind: kindOf(runner_tags),
        runner_tags: allTags(runner_tags, project_tags),
        count: Number(count),
        first,
      })),
    waiting: numberOf('waiting'),
    leased: numberOf('leased'),
  };
};

/** Adds up the queues with the same needs, the largest first. */
const groupsOf = (queues: readonly TemplateQueue[]): readonly TemplateQueue[] => {
  const groups = new Map<string, TemplateQueue>();
  for (const queue of queues) {
    const key = JSON.stringify([queue.app, queue.kind, queue.runner_tags]);
    const known = groups.get(key);
    groups.set(
      key,
      known ? { ...known, count: known.count + queue.count, first: Math.min(known.first, queue.first) } : queue,
    );
  }
  return [...groups.values()].toSorted((a, b) => b.count - a.count || a.first - b.first);
};

const presentGroups = async (db: StateReader, groups: readonly TemplateQueue[]): Promise<QueueGroup[]> => {
  if (groups.length === 0) return [];
  const ids = groups.map(({ first }) => first);
  const rows = await db.selectFrom('task').select(['id', 'created']).where('id', 'in', ids).execute();
  const created = new Map(rows.map(({ id, created }) => [id, created]));
  return groups.flatMap(({ app, kind, runner_tags, count, first }) => {
    const oldest = created.get(first);
    // Deleted meanwhile.
    return oldest === undefined
      ? []
      : [{ app, execution_environment: kind, runner_tags: JSON.parse(runner_tags) as string[], count, oldest }];
  });
};

const unclaimedIds = async (db: StateReader): Promise<readonly number[]> => {
  const { rows } = await sql<{ id: number }>`
    select waiting.id from task waiting where ${UNCLAIMED} limit ${MAX_EXACT_REASONS}`.execute(stateOf(db));
  return rows.map(({ id }) => id);
};

/** The largest groups of waiting tasks with the same needs, and the number of tasks in all groups. */
export const readQueueGroups = async ({ read }: Database, limit: number) => {
  const { queues } = await readQueues(read);
  return {
    groups: await presentGroups(read, groupsOf(queues).slice(0, limit)),
    all: queues.reduce((sum, { count }) => sum + count, 0),
  };
};

/** Returns the function that reads which tasks wait, for what, and why. */
export const queueReader = (deps: WaitingDeps) => {
  const { read } = deps.database;
  const readReasons = reasonReader(deps);

  /** How many waiting tasks have each reason. Reads each task, or only the oldest one of each template. */
  const countReasons = async (queues: readonly TemplateQueue[], isExact: boolean) => {
    const weights = new Map(
      isExact
        ? (await unclaimedIds(read)).map((id) => [id, 1])
        : queues.slice(0, MAX_EXACT_REASONS).map(({ first, count }) => [first, count]),
    );
    const counts = new Map<WaitingReason['code'] | null, number>();
    const reasons = weights.size === 0 ? new Map() : await readReasons([...weights.keys()]);
    for (const [id, reason] of reasons) {
      const code = reason?.code ?? null;
      counts.set(code, (counts.get(code) ?? 0) + (weights.get(id) ?? 0));
    }
    return counts;
  };

  return async (): Promise<Queue> => {
    const { queues, waiting, leased } = await readQueues(read);
    const groups = groupsOf(queues);
    const unclaimed = queues.reduce((sum, { count }) => sum + count, 0);
    const isExact = unclaimed <= MAX_EXACT_REASONS;
    const counts = await countReasons(
      queues.toSorted((a, b) => b.count - a.count),
      isExact,
    );
    if (leased > 0) counts.set(null, (counts.get(null) ?? 0) + leased);
    const approvals = waiting - unclaimed - leased;
    if (approvals > 0 && queues.length < MAX_TEMPLATES) counts.set('approval', approvals);
    return {
      waiting,
      groups: await presentGroups(read, groups.slice(0, MAX_QUEUE_GROUPS)),
      more_groups: Math.max(0, groups.length - MAX_QUEUE_GROUPS),
      reasons: [...counts].map(([code, count]) => ({ code, count })).toSorted((a, b) => b.count - a.count),
      reasons_exact: isExact,
    };
  };
};
