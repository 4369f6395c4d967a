import { type RawBuilder, sql } from 'kysely';
import { UNCLAIMED, waitsForNone } from './waiting-needs.ts';

type Part = RawBuilder<unknown>;

/** Unclaimed tasks with the app, tags and template of `before` whose earlier task has ended and whose locks are free. */
const sameQueue = (locks: Part) => sql`waiting.app = before.app and waiting.runner_tags = before.runner_tags
  and waiting.template_id = before.template_id and ${UNCLAIMED} and ${waitsForNone('waiting')} and ${locks}`;

const PRIORITY_BEFORE = sql`(select task.priority from task where task.id = before.id)`;

const firstOf = (queue: Part) =>
  sql`(select waiting.id from task waiting where ${queue} order by waiting.priority desc, waiting.id limit 1)`;

/** The first task of the next lower priority. */
const firstOfLower = (queue: Part) => firstOf(sql`${queue} and waiting.priority < ${PRIORITY_BEFORE}`);

/** The next task of the same priority. */
const nextOfSame = (queue: Part) => sql`(select waiting.id from task waiting where ${queue}
  and waiting.priority = ${PRIORITY_BEFORE} and waiting.id > before.id order by waiting.id limit 1)`;

/** Tasks without locks, and those that get all of theirs. */
const locksAreFree = (startable: readonly number[]) =>
  sql`((waiting.locks = '[]' and waiting.lock_hosts = 0) or waiting.id in (${sql.join(startable.length > 0 ? startable : [0])}))`;

/** An order of the waiting tasks, and the tasks of each template that are read for it. */
export interface ClaimOrder {
  /** The order of tasks of the same template or project, whose columns have this alias. */
  readonly of: (alias: string) => Part;
  /** The order of the tasks of all projects. */
  readonly all: Part;
  /** The first task of a template that is read. */
  readonly first: Part;
  /** The task of the template that is read after the task `before`, whose position is known. */
  readonly next: Part;
  /** Whether another task is read. */
  readonly isNextRead: (slots: number) => Part;
}

/**
 * By priority. Projects share the starts of a priority, and start their oldest task.
 * @param startable the tasks with locks that get all of theirs; undefined if no task has locks
 */
export const byPriority = (startable: readonly number[] | undefined): ClaimOrder => {
  const queue = sameQueue(startable ? locksAreFree(startable) : sql`1 = 1`);
  return {
    of: (alias) => sql`${sql.ref(`${alias}.priority`)} desc, ${sql.ref(`${alias}.id`)}`,
    all: sql`allowed.priority desc, allowed.start + (allowed.project_rank - 1) / allowed.weight, allowed.id`,
    first: firstOf(queue),
    next: sql`coalesce(${nextOfSame(queue)}, ${firstOfLower(queue)})`,
    isNextRead: (slots) => sql`before.parallel = 1 and before.position < ${slots}`,
  };
};

/** By age alone. The first task of each priority is read, which are at most 21. */
export const byAge = (startable: readonly number[] | undefined): ClaimOrder => {
  const queue = sameQueue(startable ? locksAreFree(startable) : sql`1 = 1`);
  return {
    of: (alias) => sql`${sql.ref(`${alias}.id`)}`,
    all: sql`allowed.id`,
    first: firstOf(queue),
    next: firstOfLower(queue),
    isNextRead: () => sql`1 = 1`,
  };
};
