import { type RawBuilder, sql } from 'kysely';
import { type Need, UNCLAIMED } from './waiting-needs.ts';

/**
 * The tables `need` and `queue` of a recursive statement: a queue is the waiting tasks of a template with the same needs. Each
 * step jumps in the index to the next template, so the cost depends on the number of queues and not of waiting tasks.
 * @param condition without it, there are no queues
 */
export const waitingQueues = (needs: readonly Need[], condition: RawBuilder<unknown> = sql`1 = 1`) => {
  const values = needs.map(({ app, runner_tags }) => sql`(${app}, ${runner_tags})`);
  return sql`need (app, runner_tags) as (values ${sql.join(values)}),
    queue (app, runner_tags, template_id) as (
      select need.app, need.runner_tags, (
        select waiting.template_id from task waiting
        where waiting.app = need.app and waiting.runner_tags = need.runner_tags and ${UNCLAIMED}
        order by waiting.template_id limit 1
      ) from need where ${condition}
      union all
      select before.app, before.runner_tags, (
        select waiting.template_id from task waiting
        where waiting.app = before.app and waiting.runner_tags = before.runner_tags
          and waiting.template_id > before.template_id and ${UNCLAIMED}
        order by waiting.template_id limit 1
      ) from queue before where before.template_id is not null
    )`;
};
