import { type Kysely, sql } from 'kysely';

/** The rows as this step needs them. */
interface Templates {
  readonly template: { readonly id: number; readonly options: string; readonly prompts: string };
}

const OPTIONS = { runner_tags: [], priority: 0 };
const PROMPTS = { runner_tags: 'fixed', priority: 'fixed' };

/** A value that cannot be read stays as it is: its template shows the error, as before. */
const completed = (json: string, added: object): string => {
  try {
    return JSON.stringify({ ...(JSON.parse(json) as object), ...added });
  } catch {
    return json;
  }
};

/** Adds tags of runners and the tags that tasks require, the priority of tasks, and the indexes that claims read. */
export const runnerTags = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .alterTable('runner')
    .addColumn('tags', 'text', (c) => c.notNull().defaultTo('[]'))
    .execute();
  await db.schema
    .alterTable('task')
    .addColumn('runner_tags', 'text', (c) => c.notNull().defaultTo('[]'))
    .execute();
  await db.schema
    .alterTable('task')
    .addColumn('priority', 'integer', (c) => c.notNull().defaultTo(0))
    .execute();
  await sql`create index task_queue on task (app, runner_tags, template_id, priority desc, id)
    where case when status = 'waiting' then runner_id is null else false end`.execute(db);
  await sql`create index task_queue_order on task (app, runner_tags, priority desc, id)
    where case when status = 'waiting' then runner_id is null else false end`.execute(db);
  // Tasks that count against limits. The query that counts them has the same condition.
  await sql`create index task_held on task (template_id, project_id, runner_id, status)
    where case when status = 'waiting' then runner_id is not null
      else status in ('starting', 'running', 'stopping') end`.execute(db);
  const templates = await (db as Kysely<Templates>)
    .selectFrom('template')
    .select(['id', 'options', 'prompts'])
    .execute();
  for (const { id, options, prompts } of templates)
    await (db as Kysely<Templates>)
      .updateTable('template')
      .set({ options: completed(options, OPTIONS), prompts: completed(prompts, PROMPTS) } as never)
      .where('id', '=', id)
      .execute();
};
