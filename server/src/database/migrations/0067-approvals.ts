import { type Kysely, sql } from 'kysely';

/** Adds approvals of tasks. A task that waits for one is in no queue, so claims do not read it. */
export const approvals = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .alterTable('template')
    .addColumn('approval', 'text', (c) => c.notNull().defaultTo('none'))
    .execute();
  for (const [column, initial] of [
    ['approval', 'none'],
    ['approval_state', 'none'],
    ['approval_by', ''],
    ['approval_comment', ''],
  ] as const)
    await db.schema
      .alterTable('task')
      .addColumn(column, 'text', (c) => c.notNull().defaultTo(initial))
      .execute();
  // No foreign key: ids of users are never used again, and a deleted user approves nothing.
  await db.schema.alterTable('task').addColumn('approval_starter', 'integer').execute();
  await db.schema.dropIndex('task_queue').execute();
  await db.schema.dropIndex('task_queue_order').execute();
  const unclaimed = sql`case when status = 'waiting' and approval_state <> 'pending' then runner_id is null else false end`;
  await sql`create index task_queue on task (app, runner_tags, template_id, priority desc, id) where ${unclaimed}`.execute(
    db,
  );
  await sql`create index task_queue_order on task (app, runner_tags, priority desc, id) where ${unclaimed}`.execute(db);
};
