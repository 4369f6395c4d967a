import { sql } from 'kysely';

/**
 * A task that counts against the limits, because it runs or is leased to a runner. The condition of the index `task_held`,
 * written so that no other index matches it.
 */
export const countsAgainstLimits = (alias: string) =>
  sql`case when ${sql.ref(`${alias}.status`)} = 'waiting' then ${sql.ref(`${alias}.runner_id`)} is not null
      else ${sql.ref(`${alias}.status`)} in ('starting', 'running', 'stopping') end`;
